// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Hashes of terms and who has them: a hash table with linear probing, of 8 bytes a place, at
  /// most three quarters full.
  ///
  /// A hash can be entered several times for one holder: two terms can have the same one.
  package struct TermTable: Sendable {
    /// The largest number of a holder; the smallest one is 1.
    package static let largestHolder: UInt32 = 1 << 24 - 1

    /// A hash of 40 bits, and below it its holder; 0 for a free place.
    private var places: ContiguousArray<UInt64> = []
    package private(set) var count = 0

    package init() {}

    /// How many bytes it has.
    package var size: Int { places.count * 8 }

    private static func entry(_ hash: UInt64, _ holder: UInt32) -> UInt64 {
      hash << 24 | UInt64(holder)
    }

    /// Differs in each process: the hashes are known to all, and without this one no client can
    /// choose identifiers whose entries meet.
    private static let secret: UInt64 = {
      var hasher = Hasher()
      hasher.combine(3)
      return UInt64(truncatingIfNeeded: hasher.finalize()) | 1
    }()

    /// The first place of an entry; the number of places is a power of two.
    private func home(of entry: UInt64) -> Int {
      let product = (entry >> 24) &* Self.secret
      return Int(truncatingIfNeeded: product >> 32) & (places.count - 1)
    }

    private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    /// How often a hash can be entered for a holder: of a million terms, three that share a hash
    /// are one case in a million.
    package static let repetitionLimit = 64

    /// Enters a hash for a holder; returns whether it was not there as often as it can be.
    @discardableResult
    package mutating func insert(_ hash: UInt64, _ holder: UInt32) -> Bool {
      if (count + 1) * 4 > places.count * 3 { resize(to: max(16, places.count * 2)) { _ in true } }
      guard put(Self.entry(hash, holder)) else { return false }
      count += 1
      return true
    }

    @discardableResult
    private mutating func put(_ entry: UInt64) -> Bool {
      var place = home(of: entry)
      var repetitions = 0
      while places[place] != 0 {
        if places[place] == entry { repetitions += 1 }
        place = next(place)
      }
      if repetitions >= Self.repetitionLimit { return false }
      places[place] = entry
      return true
    }

    /// Takes one entry of a hash and a holder out; returns whether there was one.
    @discardableResult
    package mutating func remove(_ hash: UInt64, _ holder: UInt32) -> Bool {
      if places.isEmpty { return false }
      let entry = Self.entry(hash, holder)
      var hole = home(of: entry)
      while places[hole] != entry {
        if places[hole] == 0 { return false }
        hole = next(hole)
      }
      // What follows moves up, unless its home lies behind the hole.
      var place = next(hole)
      while places[place] != 0 {
        let mask = places.count - 1
        if (place - home(of: places[place])) & mask >= (place - hole) & mask {
          places[hole] = places[place]
          hole = place
        }
        place = next(place)
      }
      places[hole] = 0
      count -= 1
      return true
    }

    /// Takes all entries out whose holders do not stay.
    package mutating func keep(where stays: (UInt32) -> Bool) {
      resize(to: places.count, stays)
      var size = places.count
      while size > 16, (count + 1) * 4 <= size { size /= 2 }
      if size < places.count { resize(to: size) { _ in true } }
    }

    private mutating func resize(to size: Int, _ stays: (UInt32) -> Bool) {
      let old = places
      places = ContiguousArray(repeating: 0, count: size)
      count = 0
      for entry in old where entry != 0 && stays(Self.holder(of: entry)) {
        put(entry)
        count += 1
      }
    }

    private static func holder(of entry: UInt64) -> UInt32 {
      UInt32(truncatingIfNeeded: entry & 0xFF_FFFF)
    }

    /// Calls a function with the holder of each entry of a hash.
    package func look(for hash: UInt64, _ body: (UInt32) -> Void) {
      if places.isEmpty { return }
      var place = home(of: hash << 24)
      while places[place] != 0 {
        if places[place] >> 24 == hash { body(Self.holder(of: places[place])) }
        place = next(place)
      }
    }

    /// All hashes, in no order.
    package var hashes: some Sequence<UInt64> { places.lazy.filter { $0 != 0 }.map { $0 >> 24 } }
  }
#endif
