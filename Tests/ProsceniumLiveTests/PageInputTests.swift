// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

struct PageInputTests {
  private static let fuzzInputs =
    ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_INPUTS"].flatMap(Int.init) ?? 20_000

  @Test func `an input is read as it was written`() {
    let input = PageInput("add", ["title": "a & b = 50 % +ü", "": "", "value": "\n"])
    #expect(PageInput(input.bytes) == input)
  }

  @Test(arguments: ["", "?a=b", "a?b=%", "a?b=%4", "a?b=%zz", "a?b=%FF", "%C3"])
  func `what is no input is none`(_ text: String) {
    #expect(PageInput(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("add", PageInput("add")), ("add?", PageInput("add")), ("a?b", PageInput("a", ["b": ""])),
      ("a?b=c=d?e", PageInput("a", ["b": "c=d?e"])), ("a?&&b=1&", PageInput("a", ["b": "1"])),
      ("a+b?c+d=%2b%26", PageInput("a b", ["c d": "+&"])),
      ("a?x=1&x=2", PageInput("a", ["x": "1", "x": "2"])), ("ü?ü=ü", PageInput("ü", ["ü": "ü"])),
    ] as [(String, PageInput)])
  func `an input is a name and the fields of a form`(_ text: String, _ input: PageInput) {
    #expect(PageInput(Array(text.utf8)) == input)
  }

  @Test func `the first field of a name has its value`() {
    let input = PageInput("a", ["x": "1", "x": "2", "value": "3"])
    #expect(input["x"] == "1")
    #expect(input.value == "3")
    #expect(input["y"] == nil)
    #expect(PageInput("a").value == nil)
  }

  @Test func `an input has as many fields as the limit, and no more`() throws {
    let fields = (0..<PageInput.fieldLimit).map { "f\($0)=\($0)" }.joined(separator: "&")
    let input = try #require(PageInput(Array("a?\(fields)".utf8)))
    #expect(input.fields.count == PageInput.fieldLimit)
    #expect(input["f1023"] == "1023")
    #expect(PageInput(Array("a?\(fields)&g=1".utf8)) == nil)
    #expect(PageInput(Array("a?\(fields)&&&".utf8)) == input)
  }

  @Test func `bytes of any kind are an input or none`() {
    var random = SplitMix64(seed: 5)
    let marks = Array("?&=%+aF0\u{FFFD}".utf8)
    var readable = 0
    for _ in 0..<Self.fuzzInputs {
      let bytes = (0..<random.number(below: 40)).map { _ in
        random.happens(perThousand: 950)
          ? marks[random.number(below: marks.count)] : UInt8(random.number(below: 256))
      }
      if let input = PageInput(bytes) {
        readable += 1
        #expect(PageInput(input.bytes) == input)
      }
    }
    #expect(readable > Self.fuzzInputs / 100)
  }
}
