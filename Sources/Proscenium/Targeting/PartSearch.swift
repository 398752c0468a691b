// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The search for many parts in one text.
///
/// The first 128 are looked for by reading the text, which is fast for most. Parts that nearly fit
/// at many places take tens of microseconds each in a text of 8 KiB. Further ones are therefore
/// looked for in the suffix array of the text, in time that grows with the logarithm of its length.
struct PartSearch {
  /// So many slow parts cost more than the suffix array of the text does.
  private static let readCount = 128

  private var searchCount = 0
  private var suffixes: SuffixArray?

  /// Tells whether a text contains a part.
  ///
  /// - Parameters:
  ///   - part: The part, which is not empty.
  ///   - text: The text, the same one in each call.
  /// - Returns: Whether the part is anywhere in it.
  mutating func contains(_ part: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    searchCount += 1
    guard searchCount > Self.readCount else { return ByteText.contains(text, part) }
    let suffixes = suffixes ?? SuffixArray(text)
    self.suffixes = suffixes
    return suffixes.contains(part, in: text)
  }
}

/// Where the suffixes of a text begin, in the order of their bytes.
///
/// The suffixes that begin with a part are neighbours, so that a binary search finds them.
struct SuffixArray {
  private let starts: ContiguousArray<Int>

  /// Sorts the suffixes of a text of less than 2,097,152 bytes.
  ///
  /// Each round sorts them by twice as many bytes, up to the round in which no two are equal: a
  /// suffix is placed by the ranks of its first half and of the half behind that.
  init(_ text: Span<UInt8>) {
    precondition(text.count < 1 << Self.placeBits)
    var ranks = ContiguousArray<UInt64>(repeating: 0, count: text.count)
    for start in text.indices { ranks[start] = UInt64(text[start]) + 1 }
    var keys = ranks
    var byteCount = 1
    var rankCount = 0
    while rankCount < text.count {
      for start in ranks.indices {
        let behind = start + byteCount < ranks.count ? ranks[start + byteCount] : 0
        keys[start] = (ranks[start] << Self.placeBits | behind) << Self.placeBits | UInt64(start)
      }
      keys.sort()
      rankCount = 0
      var last = UInt64.max
      for key in keys {
        if key >> Self.placeBits != last { rankCount += 1 }
        last = key >> Self.placeBits
        ranks[Self.start(of: key)] = UInt64(rankCount)
      }
      byteCount *= 2
    }
    starts = ContiguousArray(keys.map(Self.start))
  }

  /// A key has two ranks and a place of so many bits each.
  private static let placeBits = 21

  private static func start(of key: UInt64) -> Int { Int(key & (1 << placeBits - 1)) }

  /// Tells whether the text, from which the array was made, contains a part.
  func contains(_ part: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      let start = starts[middle]
      let limit = min(part.count, text.count - start)
      let common = ByteText.commonByteCount(text, start, part, 0, limit: limit)
      if common == part.count { return true }
      if common == limit || text[start + common] < part[common] {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return false
  }
}
