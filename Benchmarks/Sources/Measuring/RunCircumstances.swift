// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// Where and when a run takes place, as its first rows.
enum RunCircumstances {
  /// Adds the rows to the file of the results, unless an earlier suite has begun it.
  static func write() throws {
    guard let results = Scale.current.results,
      !FileManager.default.fileExists(atPath: results.path)
    else { return }
    let environment = ProcessInfo.processInfo.environment
    var writer = try CSVWriter(appendingTo: results.path, run: results.run)
    try writer.write(
      CSVRow.meta(
        name: "bench", machine: machine, commit: environment["PROSCENIUM_COMMIT"] ?? "unknown",
        flags: environment["PROSCENIUM_BENCH"] ?? "quick", seed: nil,
        startedAt: Int64(Date().timeIntervalSince1970)))
    try writer.finish()
  }

  private static var machine: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    let kind = unsafe withUnsafeBytes(of: name.machine) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    return
      "\(ProcessInfo.processInfo.operatingSystemVersionString) \(kind), \(processors) processors"
  }
}
