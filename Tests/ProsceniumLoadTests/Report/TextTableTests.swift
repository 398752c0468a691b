// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import Testing

@Suite struct TextTableTests {
  @Test func `columns are aligned, lines have no spaces at their ends`() {
    var table = TextTable([.left, .right], indent: 2)
    table.add("requests", 9_999)
    table.add("restored", "64", "12.5 %")
    table.add("größer")
    table.add()
    #expect(
      table.description == """
          requests  9,999
          restored     64  12.5 %
          größer


        """)
  }

  @Test func `an empty table is empty`() {
    #expect(TextTable([]).description == "")
  }
}
