// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLive

struct PageInputTests {
  @Test func `an input is read as it was written`() {
    let input = PageInput("add", ["title": "a & b = 50 % +ü", "": "", "value": "\n"])
    #expect(PageInput(input.bytes) == input)
  }

  @Test(arguments: ["", "?a=b", "a?b=%", "a?b=%4", "a?b=%zz", "a?b=%FF", "%C3"])
  func `what is no input is none`(_ text: String) {
    #expect(PageInput(Array(text.utf8)) == nil)
  }
}
