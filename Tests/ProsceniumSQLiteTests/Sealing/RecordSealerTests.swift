// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
@testable import ProsceniumSQLite
import Testing

@Suite struct RecordSealerTests {
  /// A record with everything that it was made from.
  private struct Sample {
    let state: Bytes
    let identifier: SessionIdentifier
    let session: SessionKey
    let salt: Bytes
    let sid: UInt64
    let epoch: UInt32
    let version: UInt64
    var record: Bytes = []

    var key: RecordKey { session.recordKey(salt: salt) }

    init(_ generator: inout SplitMix64, size: Int? = nil) throws {
      state = .drawn(size ?? Int.random(in: 0...900, using: &generator), &generator)
      identifier = SessionIdentifier(high: generator.next(), low: generator.next())
      session = .random(using: &generator)
      salt = .drawn(32, &generator)
      sid = generator.next()
      epoch = UInt32(truncatingIfNeeded: generator.next())
      version = generator.next()
      try seal()
    }

    mutating func seal() throws {
      record = try unsafe RecordSealer.seal(
        state.span.bytes, sid: sid, epoch: epoch, version: version, identifier: identifier,
        key: key)
    }

    func opened(
      _ record: Bytes? = nil, identifier: SessionIdentifier? = nil, key: RecordKey? = nil
    ) throws(StoreError) -> Bytes {
      let record = record ?? self.record
      return try unsafe RecordSealer.open(
        record.span.bytes, identifier: identifier ?? self.identifier, key: key ?? self.key)
    }
  }

  @Test(arguments: 1...100)
  func `a record opens to the state that it was sealed from`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator)
    #expect(try sample.opened() == sample.state)
    #expect(sample.record.count == RecordHeader.overhead + sample.state.count)
    let header = unsafe RecordHeader(in: sample.record.span.bytes, at: 0)
    let expected = RecordHeader(
      sid: sample.sid, epoch: sample.epoch, length: UInt32(sample.state.count),
      version: sample.version)
    #expect(header == expected)
  }

  @Test func `a header is laid out as documented`() {
    var bytes: Bytes = []
    let header = RecordHeader(sid: 0x0102, epoch: 0x0304, length: 0, version: 5 << 40 | 6)
    header.append(to: &bytes)
    #expect(
      bytes == [2, 1, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 5, 0, 0])
    #expect(header.opening == 5)
    #expect(header.counter == 6)
    #expect(header.recordSize == 40)
    #expect(RecordHeader.version(opening: 5, counter: 6) == header.version)
    #expect(RecordHeader.version(opening: 1 << 24, counter: 0) == nil)
    #expect(RecordHeader.version(opening: 0, counter: 1 << 40) == nil)
  }

  @Test func `records follow one another, and a state may be large`() throws {
    var generator = SplitMix64(seed: 1)
    let first = try Sample(&generator)
    let second = try Sample(&generator, size: 3 << 20)
    let segment = first.record + second.record
    #expect(try first.opened(segment) == first.state)
    let offset = first.record.count
    let header = unsafe RecordHeader(in: segment.span.bytes, at: offset)
    #expect(header?.recordSize == second.record.count)
    let none = unsafe RecordHeader(in: segment.span.bytes, at: offset + 1)
    #expect(none == nil)
    let rest = Array(segment[offset...])
    let opened = try unsafe RecordSealer.open(
      rest.span.bytes, identifier: second.identifier, key: second.key)
    #expect(opened == second.state)
  }

  @Test func `every flipped bit of a record is found`() throws {
    var generator = SplitMix64(seed: 7)
    let sample = try Sample(&generator, size: 90)
    for bit in 0..<(8 * sample.record.count) {
      var record = sample.record
      record[bit / 8] ^= 1 << (bit % 8)
      expectDamaged("bit \(bit)", sample.identifier) { () throws(StoreError) in
        try sample.opened(record)
      }
    }
  }

  @Test(arguments: 1...20)
  func `a record opens for nothing but what it was sealed for`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator)
    let other = SessionIdentifier(high: sample.identifier.high, low: sample.identifier.low ^ 1)
    expectDamaged("identifier", other) { () throws(StoreError) in
      try sample.opened(identifier: other)
    }
    let strange = SessionKey.random(using: &generator)
    let keys = [strange.recordKey(salt: sample.salt), sample.session.recordKey(salt: [1])]
    for key in keys {
      expectDamaged("key", sample.identifier) { () throws(StoreError) in
        try sample.opened(key: key)
      }
    }
    let header = unsafe RecordHeader(in: sample.record.span.bytes, at: 0)
    let changes: [(inout RecordHeader) -> Void] = [
      { $0.sid &+= 1 }, { $0.epoch &+= 1 }, { $0.epoch &-= 1 }, { $0.version &+= 1 },
      { $0.version ^= 1 << 40 }, { $0.length -= 1 },
    ]
    for change in changes {
      var changed = try #require(header)
      guard changed.length > 0 else { continue }
      change(&changed)
      var record: Bytes = []
      changed.append(to: &record)
      record += sample.record.dropFirst(RecordHeader.size)
      expectDamaged("header", sample.identifier) { () throws(StoreError) in
        try sample.opened(record)
      }
    }
  }

  @Test(arguments: 1...50)
  func `a part of a record and any other bytes are refused`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let sample = try Sample(&generator, size: 20)
    for count in 0..<sample.record.count {
      expectDamaged("prefix", sample.identifier) { () throws(StoreError) in
        try sample.opened(Array(sample.record[..<count]))
      }
    }
    for _ in 0..<50 {
      let bytes = Bytes.drawn(Int.random(in: 0...120, using: &generator), &generator)
      expectDamaged("bytes", sample.identifier) { () throws(StoreError) in
        try sample.opened(bytes)
      }
    }
  }

  @Test func `states and openings that are equal give other records`() throws {
    var generator = SplitMix64(seed: 4)
    let sample = try Sample(&generator, size: 100)
    let next = try unsafe RecordSealer.seal(
      sample.state.span.bytes, sid: sample.sid, epoch: sample.epoch, version: sample.version &+ 1,
      identifier: sample.identifier, key: sample.key)
    #expect(next.dropFirst(RecordHeader.size) != sample.record.dropFirst(RecordHeader.size))
    let part = String(sample.state.hexadecimal.prefix(16))
    #expect(!sample.record.hexadecimal.contains(part))
  }

  private func expectDamaged(
    _ comment: Comment, _ session: SessionIdentifier,
    _ body: () throws(StoreError) -> Bytes
  ) {
    do {
      _ = try body()
      Issue.record(comment)
    } catch {
      #expect(error.code == .damaged, comment)
      #expect(error.session == session, comment)
    }
  }
}
