// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct DottedNumbersTests {
  @Test func `numbers are read as they were written, in either radix`() {
    let numbers: [UInt64] = [0, 1, 9, 10, 255, 4_294_967_295, .max]
    for radix in [10, 16] as [UInt64] {
      var text = DottedText()
      for number in numbers { text.append(number, radix: radix) }
      #expect(
        text.text == numbers.map { String($0, radix: Int(radix)) }.joined(separator: "."))
      var read = DottedNumbers(text.text.utf8)
      for number in numbers { #expect(read.next(radix: radix) == number) }
      #expect(read.isAtEnd)
      #expect(read.next(UInt64.self) == nil)
    }
  }

  @Test(arguments: ["", ".", "x", "-1", "+1", " 1", "a", "256", "99999999999999999999"])
  func `what is no number, or too large a one, is none`(text: String) {
    var numbers = DottedNumbers(text.utf8)
    #expect(numbers.next(UInt8.self) == nil)
  }
}
