// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
@testable import Proscenium
import Testing

@Suite struct SessionIdentifierTests {
  @Test func `the text of an identifier is a lower-case UUID`() {
    let identifier = SessionIdentifier(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    #expect(identifier.description == "01234567-89ab-cdef-fedc-ba9876543210")
    #expect(SessionIdentifier(identifier.description) == identifier)
  }

  @Test(arguments: [
    "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0c",
  ])
  func `text and identifier tell the same, in either case`(text: String) {
    #expect(SessionIdentifier(text)?.description == text)
    #expect(SessionIdentifier(text.uppercased())?.description == text)
  }

  @Test(arguments: [
    "", "-", "6f1ed002", "6f1ed002ab5f4ad39ff01b7fcf21ab0c",
    "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0", "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0cc",
    "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0g", "6f1ed002-ab5f-4ad39-ff0-1b7fcf21ab0c",
    "6f1ed002_ab5f_4ad3_9ff0_1b7fcf21ab0c", "{6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0}",
    " 6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0", "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0\n",
    "６f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab", "6f1ed002-ab5f-4ad3-9ff0-1b7fcf21ab0c-",
    "------------------------------------",
  ])
  func `any other text is refused`(text: String) {
    #expect(SessionIdentifier(text) == nil)
  }

  @Test(arguments: 1...20)
  func `identifiers are ordered as their texts are`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let identifiers: [SessionIdentifier] = (0..<100).map { _ in
      // Few values, so that halves are equal now and then.
      let high = UInt64.random(in: 0...3, using: &generator) << 62
      let low = generator.next() >> Int.random(in: 0...62, using: &generator)
      return SessionIdentifier(high: high, low: low)
    }
    let texts = identifiers.map(\.description).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(identifiers.sorted().map(\.description) == texts)
  }

  @Test func `an identifier is coded as its text`() throws {
    let identifier = SessionIdentifier(high: 1, low: 2)
    let data = try JSONEncoder().encode([identifier])
    #expect(String(decoding: data, as: UTF8.self) == #"["00000000-0000-0001-0000-000000000002"]"#)
    #expect(try JSONDecoder().decode([SessionIdentifier].self, from: data) == [identifier])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SessionIdentifier].self, from: Data(#"["S1"]"#.utf8))
    }
  }

  @Test func `counted identifiers are numbered version-4 UUIDs`() {
    let next = SessionIdentifierSource.counted().next
    #expect(
      (0..<3).map { _ in next().description } == [
        "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002",
        "00000000-0000-4000-8000-000000000003",
      ])
  }

  @Test func `counted identifiers begin where they are told to`() {
    let next = SessionIdentifierSource.counted(from: 0xFFFF_FFFF_FFFF).next
    #expect(next().description == "00000000-0000-4000-8000-ffffffffffff")
  }

  @Test func `random identifiers are version-4 UUIDs, and none comes twice`() {
    let next = SessionIdentifierSource.random.next
    var seen: Set<SessionIdentifier> = []
    var wrong: [String] = []
    for _ in 0..<100_000 {
      let identifier = next()
      seen.insert(identifier)
      let text = Array(identifier.description.utf8)
      let isVersion4 = text[14] == UInt8(ascii: "4") && "89ab".utf8.contains(text[19])
      if !isVersion4 { wrong.append(identifier.description) }
    }
    #expect(seen.count == 100_000)
    #expect(wrong == [])
  }

  @Test func `two random sources do not repeat one another`() {
    let first = SessionIdentifierSource.random.next
    let second = SessionIdentifierSource.random.next
    let ones = Set((0..<64).map { _ in first() })
    #expect(ones.isDisjoint(with: (0..<64).map { _ in second() }))
  }
}
