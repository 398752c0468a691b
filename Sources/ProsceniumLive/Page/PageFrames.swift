// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The frames of a patch: each is as large as a frame may be, begins with `+` if more follow and
/// with `=` if it is the last, and is UTF-8 for itself.
struct PageFrames: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  /// Splits a patch; an empty one has no frames.
  init(_ html: [UInt8]) {
    rest = html[...]
  }

  mutating func next() -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    guard rest.count >= SceneMessage.sizeLimit else {
      defer { rest = [] }
      return [UInt8(ascii: "=")] + rest
    }
    var end = rest.startIndex + SceneMessage.sizeLimit - 1
    // Not in the middle of a character.
    while rest[end] & 0xC0 == 0x80 { end -= 1 }
    defer { rest = rest[end...] }
    return [UInt8(ascii: "+")] + rest[..<end]
  }
}
