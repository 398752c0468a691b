// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The positive control of the thread sanitizer's run: a race that it has to report.
///
/// `scripts/test-tsan` plants the race and fails when no report of it appears, so that a sanitizer
/// that is switched off, or dies before its first report, cannot look green.
@Suite struct PlantedRaceTests {
  static let isPlanted = ProcessInfo.processInfo.environment["PROSCENIUM_PLANT_RACE"] == "1"

  @Test(.enabled(if: isPlanted, "only the sanitizer's control plants a race"))
  func `two threads increment one number without a lock`() {
    let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    unsafe number.initialize(to: 0)
    defer { unsafe number.deallocate() }
    let finished = DispatchSemaphore(value: 0)
    // The race is the purpose here: nothing orders one thread's increments before the other's.
    nonisolated(unsafe) let shared = unsafe number
    for _ in 0..<2 {
      Thread {
        for _ in 0..<10_000 { unsafe shared.pointee += 1 }
        finished.signal()
      }.start()
    }
    for _ in 0..<2 { finished.wait() }
    #expect(unsafe number.pointee <= 20_000)
  }
}
