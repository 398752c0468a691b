// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// A text by which the index recognises identifiers.
struct RoutingTerm: Sendable, Hashable {
  /// Where in the identifier the text has to be.
  enum Position: UInt8, Sendable {
    case whole, beginning, ending, anywhere
  }

  let position: Position
  /// The options in whose folded space the identifier is looked up.
  let options: ContentPredicate.Options
  /// The text, folded as the options say.
  let text: ContiguousArray<UInt8>

  init(_ position: Position, _ options: ContentPredicate.Options, _ text: ContiguousArray<UInt8>) {
    self.position = position
    self.options = options
    self.text = text
  }

  /// The lesser the rarer, as far as one can know without looking at any identifier.
  var breadth: Int {
    position == .whole ? 0 : 65_536 - min(text.count, 65_535) * 4 + Int(position.rawValue)
  }
}
