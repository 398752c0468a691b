// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumSQLite
import ProsceniumTestKit

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
