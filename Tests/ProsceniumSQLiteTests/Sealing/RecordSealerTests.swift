// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import ProsceniumSealing
import Testing

@Suite struct RecordSealerTests {
  /// A record with everything that it was made from.
  private struct Sample {
    let state: Bytes
    let seal: SessionSeal
    let place: RecordPlace
    let record: Bytes

    init(_ generator: inout SplitMix64, size: Int? = nil) throws {
      let state = Bytes.drawn(size ?? Int.random(in: 0...900, using: &generator), &generator)
      let seal = SessionSeal(.random(using: &generator), .random(using: &generator))
      let place = RecordPlace(
        kind: 1, session: (generator.next(), generator.next()),
        epoch: UInt32(truncatingIfNeeded: generator.next()), version: generator.next())
      record = try unsafe RecordSealer.seal(state.span.bytes, as: place, with: seal)
      self.state = state
      self.seal = seal
      self.place = place
    }

    func opened(
      _ record: Bytes? = nil, as place: RecordPlace? = nil, with seal: SessionSeal? = nil
    ) throws(SealingError) -> Bytes {
      let record = record ?? self.record
      return try unsafe RecordSealer.open(
        record.span.bytes, as: place ?? self.place, with: seal ?? self.seal)
    }
  }

  @Test(arguments: 1...100)
  func `a record opens to the state that it was sealed from`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator, size: seed == 1 ? 3 << 20 : nil)
    #expect(try sample.opened() == sample.state)
    #expect(sample.record.count == RecordSealer.overhead + sample.state.count)
    let version = unsafe RecordSealer.version(of: sample.record.span.bytes)
    #expect(version == sample.place.version)
  }

  @Test func `a record opens in a later opening of the store`() throws {
    var generator = SplitMix64(seed: 3)
    let sample = try Sample(&generator)
    let later = SessionSeal(sample.seal.sessionKey, .random(using: &generator))
    #expect(try sample.opened(with: later) == sample.state)
    let again = try unsafe RecordSealer.seal(
      sample.state.span.bytes, as: sample.place, with: later)
    #expect(again.dropFirst(24) != sample.record.dropFirst(24))
  }

  @Test func `every flipped bit of a record is found`() throws {
    var generator = SplitMix64(seed: 7)
    let sample = try Sample(&generator, size: 90)
    for bit in 0..<(8 * sample.record.count) {
      var record = sample.record
      record[bit / 8] ^= 1 << (bit % 8)
      expectDamaged("bit \(bit)") { () throws(SealingError) in try sample.opened(record) }
    }
  }

  @Test(arguments: 1...20)
  func `a record opens for nothing but what it was sealed for`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator)
    let strange = SessionSeal(.random(using: &generator), sample.seal.salt)
    expectDamaged("key") { () throws(SealingError) in try sample.opened(with: strange) }
    let changes: [(inout RecordPlace) -> Void] = [
      { $0.kind += 1 }, { $0.session.high ^= 1 }, { $0.session.low ^= 1 }, { $0.epoch &+= 1 },
      { $0.epoch &-= 1 }, { $0.version &+= 1 }, { $0.version ^= 1 << 40 },
    ]
    for change in changes {
      var place = sample.place
      change(&place)
      expectDamaged("place") { () throws(SealingError) in try sample.opened(as: place) }
      // Also where the record says so itself.
      var record = sample.record
      for byte in 0..<8 { record[byte] = UInt8(truncatingIfNeeded: place.version >> (8 * byte)) }
      expectDamaged("record") { () throws(SealingError) in try sample.opened(record, as: place) }
    }
  }

  @Test(arguments: 1...50)
  func `a part of a record and any other bytes are refused`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator, size: 20)
    for count in 0..<sample.record.count {
      let part = Array(sample.record[..<count])
      expectDamaged("prefix") { () throws(SealingError) in try sample.opened(part) }
    }
    for _ in 0..<50 {
      let bytes = Bytes.drawn(Int.random(in: 0...120, using: &generator), &generator)
      expectDamaged("bytes") { () throws(SealingError) in try sample.opened(bytes) }
    }
  }

  @Test func `states that are equal give other records`() throws {
    var generator = SplitMix64(seed: 4)
    let sample = try Sample(&generator, size: 100)
    var place = sample.place
    place.version &+= 1
    let next = try unsafe RecordSealer.seal(
      sample.state.span.bytes, as: place, with: sample.seal)
    #expect(next.dropFirst(24) != sample.record.dropFirst(24))
    let part = String(sample.state.hexadecimal.prefix(16))
    #expect(!sample.record.hexadecimal.contains(part))
  }

  @Test func `a code of a message is that of no other message or key`() {
    var generator = SplitMix64(seed: 5)
    let (one, other) = (
      CodeKey(SessionKey.random(using: &generator).key),
      CodeKey(SessionKey.random(using: &generator).key)
    )
    let message = Bytes.drawn(100, &generator)
    let code = unsafe one.code(of: message.span.bytes)
    let again = unsafe one.code(of: message.span.bytes)
    let under = unsafe other.code(of: message.span.bytes)
    let longer = message + [0]
    let after = unsafe one.code(of: longer.span.bytes)
    #expect(again == code)
    #expect(under != code)
    #expect(after != code)
  }

  private func expectDamaged(_ comment: Comment, _ body: () throws(SealingError) -> Bytes) {
    do {
      _ = try body()
      Issue.record(comment)
    } catch {
      #expect(error.code == .damaged, comment)
    }
  }
}
