// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

/// How many events a sender sends before it lets others run.
@Suite struct SendBurstTests {
  @Test(arguments: [(1, 256), (16_384, 256), (32_768, 512), (65_536, 1_024), (.max, 1_024)])
  func `one that is further behind sends more at once, within bounds`(count: Int, size: Int) {
    #expect(SendBurst.size(behind: count) == size)
  }
}
