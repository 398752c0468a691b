// SPDX-License-Identifier: Apache-2.0

package import Proscenium
package import ProsceniumJSON
import ProsceniumLoad
import ProsceniumTestKit

/// A stored session for people and for programs.
///
/// What a kind of store does not keep is `-`.
package struct SessionText: Sendable {
  /// What is seen of a saved state without opening it.
  package struct State: Sendable {
    let size: Int
    let epoch: UInt32

    /// - Parameters:
    ///   - size: The number of bytes of the encoded state.
    ///   - epoch: The epoch in which it was captured.
    package init(size: Int, epoch: UInt32) {
      self.size = size
      self.epoch = epoch
    }
  }

  private let row: SessionRow
  private let state: State?
  private let epoch: UInt32?
  private let createdAt: Int64?
  private let changedAt: Int64?

  /// - Parameters:
  ///   - row: What is kept in the open.
  ///   - state: The saved state, or `nil` if none is kept.
  ///   - epoch: The epoch of the last change of the row.
  ///   - createdAt: When the session was stored first, in seconds since 1970.
  ///   - changedAt: When the row was changed last, in seconds since 1970.
  package init(
    _ row: SessionRow, state: State?, epoch: UInt32? = nil, createdAt: Int64? = nil,
    changedAt: Int64? = nil
  ) {
    self.row = row
    self.state = state
    self.epoch = epoch
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  private static let columns = TextColumns(widths: [-39, -24, -20, 9, 8, 11, 21, 2, -1])

  /// The names of the columns.
  package static let heading = columns.row(
    "session", "role", "configuration", "state", "epoch", "activated", "changed", "", "title")

  /// The session in one line.
  package var line: String {
    Self.columns.row(
      "\(row.persistentIdentifier)\(row.damage == nil ? "" : " !")",
      Terminal.printable(row.configuration.role.rawValue),
      row.configuration.name.map(Terminal.printable) ?? "-",
      state.map { NumberText.bytes($0.size) } ?? "-", epoch.map(String.init) ?? "-",
      NumberText.grouped(Int(clamping: row.lastActivated)),
      changedAt.map(NumberText.time(secondsSince1970:)) ?? "-", "",
      (row.isDiscarded ? "(discarded) " : "") + (row.title.map(Terminal.printable) ?? "-"))
  }

  // MARK: - One session

  /// Everything about the session, and its state.
  package func table(with opened: Result<SessionStateText, StoreError>) -> String {
    var table = TextTable([.left, .left])
    if let damage = row.damage { table.add("damaged", Terminal.oneLine(damage.message)) }
    for field in fields {
      table.add(field.label, Self.text(field.value) + (field.value == .null ? "" : field.unit))
    }
    guard let state else {
      table.add("state", "-")
      return table.description
    }
    table.add("state", "\(NumberText.bytes(state.size)), captured in epoch \(state.epoch)")
    switch opened {
    case .success(let opened): return "\(table)\n\(opened.text)"
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
    func time(_ seconds: Int64?) -> JSONValue {
      text(seconds.map(NumberText.time(secondsSince1970:)))
    }
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
      ("epoch", "epoch", epoch.map { .integer(Int($0)) } ?? .null, ""),
      ("created", "created", time(createdAt), " UTC"),
      ("changed", "changed", time(changedAt), " UTC"),
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
  package var json: JSONValue { .object(members) }

  /// The session as an object, with its state.
  package func json(with opened: Result<SessionStateText, StoreError>) -> JSONValue {
    switch opened {
    case .success(let opened): .object(members + opened.members)
    case .failure(let error): .object(members + [JSONMember("stateError", .text(error.message))])
    }
  }

  private var members: [JSONMember] {
    var members = fields.map { JSONMember($0.key, $0.value) }
    if let state {
      members += [
        JSONMember("stateBytes", .integer(state.size)),
        JSONMember("stateEpoch", .integer(Int(state.epoch))),
      ]
    }
    if let damage = row.damage { members.append(JSONMember("damage", .text(damage.message))) }
    return members
  }
}

/// A saved state for people and for programs.
package struct SessionStateText: Sendable {
  /// The state as JSON in lines; empty if nothing is kept.
  package let text: String

  /// The members that the state adds to its session's object.
  package let members: [JSONMember]

  /// Of how many bytes data is shown in lines; of more there is the number of bytes.
  private static let dataLimit = 256

  /// Decodes a state.
  ///
  /// - Throws: `damaged` if the bytes are no state that this program knows.
  package init(
    _ bytes: [UInt8]?, of session: SessionIdentifier
  ) throws(StoreError) {
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
      throw StoreError(.damaged, session: session, "\(error)")
    }
  }
}
