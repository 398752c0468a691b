// SPDX-License-Identifier: Apache-2.0

/// Estimates how often sessions were used of late, in a fixed amount of memory.
///
/// A count-min sketch of 4-bit counters. A session has four of them, all within one block of 64
/// bytes, so that a use touches a line of the cache or two; the smallest is its estimate, which is
/// never too low but for ageing. Counters are halved block by block, one after so many uses that
/// each is halved once in twenty uses for every scene of the capacity: no use has to wait for more.
///
/// 16 to 32 bytes for each of the capacity, of which at most 16,777,216 are counted.
struct UseSketch: Sendable {
  /// The largest estimate.
  static let most = 15

  private static let blockWords = 8
  private static let mostScenes = 1 << 24
  private static let wordsPerScene = 2
  private static let usesPerScene = 20

  private var words: ContiguousArray<UInt64>
  private let salt: UInt64
  /// The block that is halved next, and after how many uses.
  private var nextBlock = 0
  private var usesLeft: Int

  /// How many scenes the sketch is made for; a change keeps the estimates.
  var capacity: Int {
    didSet { resize() }
  }

  /// Creates a sketch in which every estimate is 0.
  init(capacity: Int, seed: UInt64) {
    self.capacity = capacity
    salt = Self.mixed(seed)
    words = ContiguousArray(repeating: 0, count: Self.wordCount(for: capacity))
    usesLeft = 0
    usesLeft = usesPerBlock
  }

  /// Counts a use of a session.
  mutating func add(_ session: UInt32) {
    let hash = Self.mixed(UInt64(session) ^ salt)
    let block = block(of: hash)
    for row in 0..<4 {
      let (word, shift) = Self.counter(row, of: hash)
      // Without a branch, which would often be guessed wrong.
      let isFull = words[block + word] &>> shift & 15 == 15
      words[block + word] &+= (isFull ? 0 : 1) &<< shift
    }
    usesLeft -= 1
    if usesLeft <= 0 { halveNextBlock() }
  }

  /// The estimated number of uses of late, 0–15.
  func estimate(_ session: UInt32) -> Int {
    let hash = Self.mixed(UInt64(session) ^ salt)
    let block = block(of: hash)
    var least: UInt64 = 15
    for row in 0..<4 {
      let (word, shift) = Self.counter(row, of: hash)
      least = min(least, words[block + word] &>> shift & 15)
    }
    return Int(least)
  }

  // MARK: - Places

  /// The first word of a session's block: the upper half of the hash says which.
  private func block(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 32) & (words.count / Self.blockWords - 1) * Self.blockWords
  }

  /// A session's counter in a row of two words: eight bits of the hash for each row.
  private static func counter(_ row: Int, of hash: UInt64) -> (word: Int, shift: UInt64) {
    let bits = hash &>> (UInt64(row) * 8)
    return (row * 2 + Int(bits & 1), (bits >> 1 & 15) * 4)
  }

  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed >> 32
  }

  // MARK: - Ageing and size

  private var usesPerBlock: Int {
    let blocks = words.count / Self.blockWords
    return max(Self.scenes(for: capacity) * Self.usesPerScene / blocks, 1)
  }

  private mutating func halveNextBlock() {
    let first = nextBlock * Self.blockWords
    for word in first..<first + Self.blockWords {
      words[word] = words[word] >> 1 & 0x7777_7777_7777_7777
    }
    nextBlock = (nextBlock + 1) % (words.count / Self.blockWords)
    usesLeft = usesPerBlock
  }

  private static func wordCount(for capacity: Int) -> Int {
    var count = 64
    while count < scenes(for: capacity) * wordsPerScene { count *= 2 }
    return count
  }

  private static func scenes(for capacity: Int) -> Int { min(max(capacity, 1), mostScenes) }

  /// Doubles the table by repeating it, or folds it together by the larger counters.
  private mutating func resize() {
    let old = words
    let count = Self.wordCount(for: capacity)
    guard count != old.count else { return }
    words = ContiguousArray(repeating: 0, count: count)
    for index in 0..<max(count, old.count) {
      let place = index & (count - 1)
      words[place] = Self.largerCounters(words[place], old[index & (old.count - 1)])
    }
    nextBlock = 0
    usesLeft = usesPerBlock
  }

  private static func largerCounters(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 4) {
      result |= max(left >> shift & 15, right >> shift & 15) << shift
    }
    return result
  }
}
