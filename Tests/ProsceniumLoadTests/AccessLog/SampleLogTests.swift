// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import ProsceniumLoad
import Testing

/// Runs on a real log where it is at hand; it is no part of the project.
@Suite struct SampleLogTests {
  static let path = sample()

  private static func sample() -> String {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.path + "/../shared/data/semicomplete-access.log"
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: SampleLogTests.path),
      "the sample log is next to the checkout only where it was fetched")
  )
  func `a real log has the known requests, users and malformed lines`() throws {
    var reader = try AccessLogReader(path: Self.path)
    var users = ReplayUsers()
    var malformed: [Int] = []
    var paths: Set<String> = []
    var largest = Int64.min
    var earlier = 0
    var previous = Int64.min
    var activations = 0
    while let entry = try reader.next() {
      switch entry {
      case .malformed(let error, let number):
        malformed.append(number)
        #expect(error.code == .userAgent)
      case .request(let line, _):
        _ = users.user(of: line)
        paths.insert(line.path)
        if line.time < previous { earlier += 1 }
        previous = line.time
        largest = max(largest, line.time)
        if line.referrer == nil { activations += 1 }
      }
    }
    #expect(reader.requestCount == 9_999)
    #expect(malformed == [8_899])
    #expect(users.count == 1_861)
    #expect(activations == 4_072)
    #expect(paths.count == 1_498)
    // 20 May 2015, 21:05:59 UTC.
    #expect(largest == 1_432_155_959)
    #expect(earlier == 4_915)
  }
}
