// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct DottedNumbersTests {
  @Test func `numbers are read as they were written, in either radix`() {
    let numbers: [UInt64] = [0, 1, 9, 10, 255, 4_294_967_295, .max]
    for radix in [10, 16] as [UInt64] {
      func write(_ text: inout DottedText) {
        for number in numbers { text.append(number, radix: radix) }
      }
      let text = String(dottedCapacity: numbers.count * DottedText.numberSize, write)
      #expect(text == numbers.map { String($0, radix: Int(radix)) }.joined(separator: "."))
      #expect([UInt8](dottedCapacity: 200, write) == Array(text.utf8))
      var read = DottedNumbers(text.utf8)
      for number in numbers { #expect(read.next(radix: radix) == number) }
      #expect(read.isAtEnd)
      #expect(read.next(UInt64.self) == nil)
    }
  }

  @Test func `no dot stands beside a text`() {
    let text = String(dottedCapacity: 32) { text in
      text.append("a/")
      text.append(1 as UInt8)
      text.append(2 as UInt8)
      text.append("/")
      text.append(3 as UInt8)
    }
    #expect(text == "a/1.2/3")
  }

  @Test(arguments: ["", ".", "x", "-1", "+1", " 1", "a", "256", "99999999999999999999"])
  func `what is no number, or too large a one, is none`(text: String) {
    var numbers = DottedNumbers(text.utf8)
    #expect(numbers.next(UInt8.self) == nil)
  }
}
