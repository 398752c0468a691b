// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// A patch of any length travels in frames, each of which is a text for itself.
struct PageFramesTests {
  private static func check(_ patch: [UInt8]) {
    let frames = Array(PageFrames(patch))
    #expect(frames.flatMap { $0.dropFirst() } == patch)
    for (index, frame) in frames.enumerated() {
      #expect(frame.count <= SceneMessage.sizeLimit)
      #expect(String(validating: frame, as: UTF8.self) != nil)
      #expect(frame.first == UInt8(ascii: index == frames.count - 1 ? "=" : "+"))
    }
    // None is shorter than it has to be.
    for frame in frames.dropLast() { #expect(frame.count > SceneMessage.sizeLimit - 4) }
  }

  @Test func `an empty patch has no frames`() {
    #expect(Array(PageFrames([])).isEmpty)
  }

  @Test(arguments: [1, 2, 65_534, 65_535, 65_536, 65_537, 131_069, 131_070, 131_071, 200_000])
  func `a patch is cut where a frame is full`(_ count: Int) {
    let patch = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    Self.check(patch)
    #expect(Array(PageFrames(patch)).count == (count + 65_534) / 65_535)
  }

  @Test(arguments: ["é", "€", "👩"], 0..<5)
  func `no character is cut`(_ character: String, _ shift: Int) {
    let text = String(repeating: "a", count: shift) + String(repeating: character, count: 50_000)
    Self.check(Array(text.utf8))
  }

  @Test func `any text is cut into texts`() {
    var random = SplitMix64(seed: 11)
    let characters: [Unicode.Scalar] = ["a", "é", "€", "👩", "\u{10FFFF}", "\u{FFFD}"]
    for _ in 0..<40 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<(20_000 + random.number(below: 30_000)) {
        scalars.append(characters[random.number(below: characters.count)])
      }
      Self.check(Array(String(scalars).utf8))
    }
  }
}
