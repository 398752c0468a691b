// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumClientProtocol
import ProsceniumPrimitives

/// Draws messages of all kinds, with texts as their content.
struct RandomMessages {
  private static let resets: [OutputReset?] = [nil] + OutputReset.allCases
  private static let texts = [
    "", " ", "a", "notes", "=page", " two  words ", "é👩‍👩‍👧", "\u{0}\n", "1 2 3", "-", "+", "\u{FFFD}",
    String(repeating: "long ", count: 200),
  ]

  private(set) var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  private mutating func number() -> UInt64 {
    switch random.number(below: 8) {
    case 0: 0
    case 1: .max
    case 2: UInt64(random.number(below: 300))
    default: random.next() >> UInt64(random.number(below: 64))
    }
  }

  private mutating func text() -> String { Self.texts[random.number(below: Self.texts.count)] }

  private mutating func flag() -> Bool { random.happens(perThousand: 500) }

  mutating func clientMessage() -> ClientMessage {
    switch random.number(below: 4) {
    case 0: .hello(hello())
    case 1: .input(number(), SceneMessage(text()))
    case 2: .ack(number())
    default: .visible(flag())
    }
  }

  private mutating func hello() -> ClientHello {
    let seen = flag() ? FrameNumber(epoch: number(), count: number()) : nil
    return ClientHello(
      client: ClientIdentifier(high: number(), low: number()), lastSeen: seen,
      nextInput: number(), isVisible: flag(), watches: flag(), address: text())
  }

  mutating func hostMessage() -> HostMessage {
    switch random.number(below: 5) {
    case 0:
      .welcome(
        ClientWelcome(
          epoch: number(), lastInput: number(),
          reset: Self.resets[random.number(below: Self.resets.count)], watches: flag()))
    case 1:
      .frame(
        SceneFrame(
          number: FrameNumber(epoch: number(), count: number()), content: SceneMessage(text())))
    case 2: .acknowledged(number())
    case 3: .move(text())
    default: .end(end())
    }
  }

  private mutating func end() -> ClientEnd {
    let ends: [ClientEnd] = [
      .takenOver, .sessionEnded, .hostEnded, .wrongInput(expected: number()), .outputTooLarge,
      .refused, .unsupportedVersion(UInt8(random.number(below: 256))), .unreadable, .busy,
    ]
    return ends[random.number(below: ends.count)]
  }
}
