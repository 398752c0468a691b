// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A session as the page shows it.
struct SceneCard: Sendable, Equatable {
  /// How much of a snapshot is shown, in bytes.
  static let snapshotLength = 400

  let session: SessionIdentifier
  let state: CardState
  var title: String?
  var subtitle: String?
  var snapshot: String?

  /// The last eight digits of the identifier: of counted ones the first are all equal.
  var shortName: String { Self.shortName(session) }

  static func shortName(_ session: SessionIdentifier) -> String {
    String(session.description.suffix(8))
  }

  /// The beginning of a snapshot, or what it is if it is no text.
  static func text(ofSnapshot bytes: [UInt8]?) -> String? {
    guard let bytes, !bytes.isEmpty else { return nil }
    var beginning = String(decoding: bytes.prefix(snapshotLength), as: UTF8.self)
    let isCut = bytes.count > snapshotLength
    // The cut may go through a character.
    if isCut, beginning.unicodeScalars.last == "\u{FFFD}" { beginning.unicodeScalars.removeLast() }
    guard !beginning.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) else {
      return "\(PageText.number(bytes.count)) bytes, no text"
    }
    return isCut ? beginning + "…" : beginning
  }
}
