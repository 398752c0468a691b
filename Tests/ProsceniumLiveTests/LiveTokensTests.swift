// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// A token is good for its user and its time, and for nothing that was changed in it.
struct LiveTokensTests {
  private static let session = SessionIdentifier(high: 0x0123_4567_89AB_CDEF, low: 42)

  private static func tokens(
    _ key: UInt8 = 1, previous: UInt8? = nil, _ date: ManualDate = ManualDate()
  ) throws -> LiveTokens {
    try LiveTokens(LiveKeys.keys(key, previous: previous), wallClock: date.wallClock)
  }

  private static func refusal(
    _ text: String, by tokens: LiveTokens
  ) -> LiveTokens.Refusal? {
    do throws(LiveTokens.Refusal) {
      _ = try tokens.read(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "", "anna", "zoë 👩‍👩‍👧", "a\u{0}b", String(repeating: "x", count: SceneSession.ownerSizeLimit),
  ])
  func `a token says what it was made for`(_ owner: String) throws {
    let tokens = try Self.tokens()
    for session in [nil, Self.session, SessionIdentifier(high: 0, low: 0)] {
      let text = tokens.make(owner: owner, session: session, lifetime: .seconds(60))
      let token = LiveToken(owner: owner, session: session, expiry: 1_000_060)
      #expect(try tokens.read(text) == token)
    }
  }

  @Test func `a token is hexadecimal digits, and never the same for two users`() throws {
    let tokens = try Self.tokens()
    let text = tokens.make(owner: "anna", lifetime: .seconds(60))
    #expect(text.utf8.count == 2 * (26 + 4 + 36))
    #expect(text.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) })
    #expect(text != tokens.make(owner: "anne", lifetime: .seconds(60)))
    #expect(text != tokens.make(owner: "anna", session: Self.session, lifetime: .seconds(60)))
  }

  // MARK: - Time

  @Test func `a token ends with its lifetime`() throws {
    let date = ManualDate()
    let tokens = try Self.tokens(1, date)
    let text = tokens.make(owner: "anna", lifetime: .milliseconds(60_999))
    for _ in 0..<60 {
      #expect(Self.refusal(text, by: tokens) == nil)
      date.advance(by: 1)
    }
    #expect(Self.refusal(text, by: tokens) == .expired)
    date.advance(by: -1)
    #expect(Self.refusal(text, by: tokens) == nil)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min), .milliseconds(999)])
  func `a token without a lifetime is never good`(_ lifetime: Duration) throws {
    let tokens = try Self.tokens()
    let text = tokens.make(owner: "anna", lifetime: lifetime)
    #expect(Self.refusal(text, by: tokens) == .expired)
  }

  @Test func `the longest lifetime and a date before 1970 are dates as well`() throws {
    let tokens = try Self.tokens(1, ManualDate(-5))
    let text = tokens.make(owner: "anna", lifetime: .seconds(Int64.max))
    #expect(try tokens.read(text).expiry == UInt64(Int64.max))
  }

  // MARK: - Forgery

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [nil, session])
  func `a token with any bit changed is refused`(_ session: SessionIdentifier?) throws {
    let tokens = try Self.tokens(1, previous: 2)
    let good = Self.bytes(tokens.make(owner: "anna", session: session, lifetime: .seconds(60)))
    try #require(Self.refusal(Self.text(good), by: tokens) == nil)
    for bit in 0..<good.count * 8 {
      var bytes = good
      bytes[bit / 8] ^= 1 << (bit % 8)
      let isNumber = (good.count - 36..<good.count - 32).contains(bit / 8)
      #expect(Self.refusal(Self.text(bytes), by: tokens) == (isNumber ? .unknown : .forged))
    }
  }

  @Test func `a token with any digit changed is refused`() throws {
    let tokens = try Self.tokens()
    let good = Array(tokens.make(owner: "anna", lifetime: .seconds(60)).utf8)
    for index in good.indices {
      for other in Array("0123456789abcdefABCDEFg:/`@ ".utf8) where other != good[index] {
        var digits = good
        digits[index] = other
        let refusal = Self.refusal(String(decoding: digits, as: UTF8.self), by: tokens)
        #expect(refusal == .forged || refusal == .unknown)
      }
    }
  }

  @Test func `a token with bytes more or less is refused`() throws {
    let tokens = try Self.tokens()
    let good = tokens.make(owner: "anna", lifetime: .seconds(60))
    for count in 0..<good.count {
      #expect(Self.refusal(String(good.prefix(count)), by: tokens) != nil)
      #expect(Self.refusal(String(good.suffix(count)), by: tokens) != nil)
    }
    for text in [good + "0", good + "00", "00" + good, good + good, " " + good, good + "\n"] {
      #expect(Self.refusal(text, by: tokens) != nil)
    }
  }

  @Test(arguments: [
    "", "0", "00", "é", "👩", "null", "undefined", "../..", "-1", "\u{0}",
    String(repeating: "0", count: 640), String(repeating: "0", count: 1_000_000),
    String(repeating: "f", count: 1_000_001), String(repeating: "é", count: 300),
  ])
  func `what is no token is unknown`(_ text: String) throws {
    #expect(Self.refusal(text, by: try Self.tokens()) == .unknown)
  }

  @Test func `random digits are no token`() throws {
    let tokens = try Self.tokens()
    var random = SplitMix64(seed: 9)
    for _ in 0..<2_000 {
      let bytes = (0..<random.number(below: 330)).map { _ in UInt8(random.number(below: 256)) }
      #expect(Self.refusal(Self.text(bytes), by: tokens) == .unknown)
    }
  }

  @Test func `a token that is too long is unknown, though it is signed`() throws {
    let tokens = try Self.tokens()
    let owner = String(repeating: "x", count: SceneSession.ownerSizeLimit + 7)
    #expect(
      Self.refusal(tokens.make(owner: owner, lifetime: .seconds(60)), by: tokens) == .unknown)
  }

  // MARK: - Keys

  @Test func `while keys are rotated, tokens of both are good`() throws {
    let before = try Self.tokens(1).make(owner: "anna", lifetime: .seconds(60))
    let during = try Self.tokens(2, previous: 1)
    #expect(Self.refusal(before, by: during) == nil)
    let new = during.make(owner: "anna", lifetime: .seconds(60))
    #expect(Self.refusal(new, by: during) == nil)
    // New tokens are of the new key.
    #expect(Self.refusal(new, by: try Self.tokens(1)) == .unknown)
    let after = try Self.tokens(2)
    #expect(Self.refusal(new, by: after) == nil)
    #expect(Self.refusal(before, by: after) == .unknown)
    #expect(Self.refusal(before, by: try Self.tokens(3, previous: 2)) == .unknown)
  }

  @Test func `keys that cannot be had are an error at once`() {
    let keys = CallbackKeyProvider { throw CancellationError() }
    #expect(throws: SealingError.self) { try LiveTokens(keys) }
  }
}
