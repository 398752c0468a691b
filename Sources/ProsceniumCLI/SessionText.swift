// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumLoad
import ProsceniumSQLite
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
    table.add("session", "\(row.persistentIdentifier)")
    if let damage = row.damage { table.add("damaged", Terminal.oneLine(damage.message)) }
    table.add("role", Terminal.printable(row.configuration.role.rawValue))
    for (name, text) in texts { table.add(name, text.map(Terminal.printable) ?? "-") }
    table.add("can activate", Terminal.oneLine("\(row.activationConditions.can)"))
    table.add("prefers", Terminal.oneLine("\(row.activationConditions.prefers)"))
    table.add("destroyed by", destruction.isEmpty ? "-" : destruction.joined(separator: ", "))
    table.add("discarded", row.isDiscarded ? "yes" : "no")
    table.add("activated", NumberText.grouped(Int(clamping: row.lastActivated)))
    table.add("epoch", "\(session.epoch)")
    table.add("created", NumberText.time(secondsSince1970: session.createdAt) + " UTC")
    table.add("changed", NumberText.time(secondsSince1970: session.changedAt) + " UTC")
    guard let record = session.savedState else {
      table.add("state", "-")
      return table.description
    }
    table.add(
      "state",
      "\(NumberText.bytes(record.size)), captured in epoch \(record.epoch)")
    switch state {
    case .success(let state): return "\(table)\n\(state.text)"
    case .failure(let error):
      table.add("", Terminal.oneLine("it cannot be shown: \(error.message)"))
      return table.description
    }
  }

  private var texts: [(String, String?)] {
    [
      ("configuration", row.configuration.name),
      ("delegate class", row.configuration.delegateClass),
      ("scene class", row.configuration.sceneClass),
      ("manifest", row.configuration.manifestRevision), ("group", row.group?.rawValue),
      ("title", row.title), ("subtitle", row.subtitle),
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
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    func time(_ seconds: Int64) -> JSONValue { .text(NumberText.time(secondsSince1970: seconds)) }
    let configuration = row.configuration
    var members = [
      JSONMember("session", .text(row.persistentIdentifier.description)),
      JSONMember("role", .text(configuration.role.rawValue)),
      JSONMember("configuration", text(configuration.name)),
      JSONMember("delegateClass", text(configuration.delegateClass)),
      JSONMember("sceneClass", text(configuration.sceneClass)),
      JSONMember("manifestRevision", text(configuration.manifestRevision)),
      JSONMember("group", text(row.group?.rawValue)), JSONMember("title", text(row.title)),
      JSONMember("subtitle", text(row.subtitle)),
      JSONMember("can", .text("\(row.activationConditions.can)")),
      JSONMember("prefers", .text("\(row.activationConditions.prefers)")),
      JSONMember("destroyedBy", .list(destruction.map { .text($0) })),
      JSONMember("discarded", .bool(row.isDiscarded)),
      JSONMember("lastActivated", .integer(Int(clamping: row.lastActivated))),
      JSONMember("epoch", .integer(Int(session.epoch))),
      JSONMember("created", time(session.createdAt)),
      JSONMember("changed", time(session.changedAt)),
    ]
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
