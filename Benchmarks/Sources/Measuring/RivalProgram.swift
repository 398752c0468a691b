// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A rival that is started again for each reading, and prints it.
struct RivalProgram: Sendable {
  let folder: String

  func measure(_ name: String, _ arguments: [String]) throws -> Reading {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: folder + "/run")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0, let value = Double(text.dropLast()) else {
      throw BenchmarkFailure(
        "\(name) ended with \(process.terminationStatus) at \(arguments[0]): \(text)")
    }
    return Reading(value)
  }
}
