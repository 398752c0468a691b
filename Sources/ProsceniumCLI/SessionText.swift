// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumJSON
import ProsceniumLoad
import ProsceniumSQLite
import ProsceniumTerminal
import ProsceniumTestKit

/// A stored session for people and for programs.
struct SessionText {
  private let session: StoreInspection.Session
  private var row: SessionRow { session.row }

  init(_ session: StoreInspection.Session) {
    self.session = session
  }

  private static let columns = TextColumns(widths: [-39, -24, -20, 9, 8, 11, 21, 2, -1])

  /// The names of the columns.
  static let heading = columns.row(
    "session", "role", "configuration", "state", "epoch", "activated", "changed", "", "title")

  /// The session in one line.
  var line: String {
    Self.columns.row(
      "\(row.persistentIdentifier)\(row.damage == nil ? "" : " !")",
      Terminal.printable(row.configuration.role.rawValue),
      row.configuration.name.map(Terminal.printable) ?? "-",
      session.savedState.map { NumberText.bytes($0.size) } ?? "-", "\(session.epoch)",
      NumberText.grouped(Int(clamping: row.lastActivated)),
      NumberText.time(secondsSince1970: session.changedAt), "",
      (row.isDiscarded ? "(discarded) " : "") + (row.title.map(Terminal.printable) ?? "-"))
  }

  // MARK: - One session

  /// Everything about the session, and its state.
  func table(with state: Result<SessionStateText, StoreError>) -> String {
    var table = TextTable([.left, .left])
    if let damage = row.damage { table.add("damaged", Terminal.oneLine(damage.message)) }
    for field in fields { table.add(field.label, Self.text(field.value) + field.unit) }
    guard let record = session.savedState else {
      table.add("state", "-")
      return table.description
    }
    table.add("state", "\(NumberText.bytes(record.size)), captured in epoch \(record.epoch)")
    switch state {
    case .success(let state): return "\(table)\n\(state.text)"
    case .failure(let error):
      table.add("", Terminal.oneLine("it cannot be shown: \(error.message)"))
      return table.description
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .text(let text): Terminal.printable(text)
    case .bool(let bool): bool ? "yes" : "no"
    case .integer(let number): NumberText.grouped(number)
    case .list(let values) where !values.isEmpty: values.map(text).joined(separator: ", ")
    default: "-"
    }
  }

  /// What a session has, by its names for people and for programs.
  private var fields: [(label: String, key: String, value: JSONValue, unit: String)] {
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    func time(_ seconds: Int64) -> JSONValue { .text(NumberText.time(secondsSince1970: seconds)) }
    let configuration = row.configuration
    return [
      ("session", "session", .text(row.persistentIdentifier.description), ""),
      ("role", "role", .text(configuration.role.rawValue), ""),
      ("configuration", "configuration", text(configuration.name), ""),
      ("delegate class", "delegateClass", text(configuration.delegateClass), ""),
      ("scene class", "sceneClass", text(configuration.sceneClass), ""),
      ("manifest", "manifestRevision", text(configuration.manifestRevision), ""),
      ("group", "group", text(row.group?.rawValue), ""), ("title", "title", text(row.title), ""),
      ("subtitle", "subtitle", text(row.subtitle), ""),
      ("can activate", "can", .text("\(row.activationConditions.can)"), ""),
      ("prefers", "prefers", .text("\(row.activationConditions.prefers)"), ""),
      ("destroyed by", "destroyedBy", .list(destruction.map { .text($0) }), ""),
      ("discarded", "discarded", .bool(row.isDiscarded), ""),
      ("activated", "lastActivated", .integer(Int(clamping: row.lastActivated)), ""),
      ("epoch", "epoch", .integer(Int(session.epoch)), ""),
      ("created", "created", time(session.createdAt), " UTC"),
      ("changed", "changed", time(session.changedAt), " UTC"),
    ]
  }

  private var destruction: [String] {
    let names: [(Scene.DestructionCondition, String)] = [
      (.userInitiatedDismissal, "userInitiatedDismissal"),
      (.systemDisconnection, "systemDisconnection"),
    ]
    return names.filter { row.destructionConditions.contains($0.0) }.map(\.1)
  }

  // MARK: - JSON

  /// The session as an object.
  var json: JSONValue { .object(members) }

  /// The session as an object, with its state.
  func json(with state: Result<SessionStateText, StoreError>) -> JSONValue {
    switch state {
    case .success(let state): .object(members + state.members)
    case .failure(let error): .object(members + [JSONMember("stateError", .text(error.message))])
    }
  }

  private var members: [JSONMember] {
    var members = fields.map { JSONMember($0.key, $0.value) }
    if let record = session.savedState {
      members += [
        JSONMember("stateBytes", .integer(record.size)),
        JSONMember("stateEpoch", .integer(Int(record.epoch))),
      ]
    }
    if let damage = row.damage { members.append(JSONMember("damage", .text(damage.message))) }
    return members
  }
}

/// A saved state for people and for programs.
struct SessionStateText {
  /// The state as JSON in lines; empty if nothing is kept.
  let text: String

  /// The members that the state adds to its session's object.
  let members: [JSONMember]

  /// Of how many bytes data is shown in lines; of more there is the number of bytes.
  private static let dataLimit = 256

  /// Decodes a state.
  ///
  /// - Throws: `damaged` if the bytes are no state that this program knows.
  init(_ bytes: [UInt8]?, of session: StoreInspection.Session) throws(StoreError) {
    guard let bytes else {
      (text, members) = ("", [])
      return
    }
    do {
      let version = try SavedState.version(of: bytes)
      let state = try SavedState(decoding: bytes)
      text = state.json(version: version, dataLimit: Self.dataLimit)
      let node = try JSONParser.parse(Array(state.json(version: version).utf8), file: "the state")
      members = [JSONMember("state", node.value)]
    } catch {
      throw StoreError(.damaged, session: session.row.persistentIdentifier, "\(error)")
    }
  }
}

/// A store as a whole, for people and for programs.
struct StoreTotalsText {
  private let totals: StoreInspection.Totals
  private let path: String

  init(_ totals: StoreInspection.Totals, path: String) {
    self.totals = totals
    self.path = path
  }

  /// The totals in aligned lines.
  var table: String {
    var table = TextTable([.left, .right, .left])
    table.add("sessions", totals.sessions)
    if totals.discarded > 0 {
      table.add("discarded", totals.discarded, "told to the application at its next launch")
    }
    table.add("epoch", totals.epoch.map { NumberText.grouped(Int($0)) } ?? "damaged")
    table.add("openings", totals.openings.map(NumberText.grouped) ?? "damaged")
    table.add("file", NumberText.bytes(totals.databaseBytes))
    table.add("log", NumberText.bytes(totals.logBytes))
    if let time = totals.createdAt {
      table.add("created", "", NumberText.time(secondsSince1970: time) + " UTC")
    }
    if totals.isRestoring == true {
      table.add("", "", "the application ended while it was restoring its state")
    }
    return table.description
  }

  /// The totals as an object.
  var json: JSONValue {
    .object([
      JSONMember("store", .text(path)), JSONMember("version", .integer(totals.version)),
      JSONMember("sessions", .integer(totals.sessions)),
      JSONMember("discarded", .integer(totals.discarded)),
      JSONMember("epoch", totals.epoch.map { .integer(Int($0)) } ?? .null),
      JSONMember("openings", totals.openings.map { .integer($0) } ?? .null),
      JSONMember("databaseBytes", .integer(totals.databaseBytes)),
      JSONMember("logBytes", .integer(totals.logBytes)),
      JSONMember(
        "created",
        totals.createdAt.map { .text(NumberText.time(secondsSince1970: $0)) } ?? .null),
      JSONMember("isRestoring", totals.isRestoring.map { .bool($0) } ?? .null),
    ])
  }
}

/// Columns of fixed widths, for rows that are written as they come.
struct TextColumns {
  /// The width of each column; a negative one is filled up on the right, as texts should be.
  let widths: [Int]

  /// The line of a row, with its line end.
  func row(_ cells: String...) -> String {
    let line = zip(widths, cells).map { width, cell in
      let filling = String(repeating: " ", count: max(abs(width) - cell.count, 0))
      return width < 0 ? cell + filling : filling + cell
    }.joined()
    return line.reversed().drop { $0 == " " }.reversed() + "\n"
  }
}
