// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A rival that is started again for each reading, and prints it as CSV.
struct RivalProgram: Sendable {
  let folder: String

  func measure(
    _ name: String, path: String, flags: [String], parameter: String?
  ) throws -> Reading {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: folder + "/run")
    process.arguments = ["--paths", path] + flags
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("\(name) ended with \(process.terminationStatus) at \(path)")
    }
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 6, fields[0] == name, fields[2] == path,
        fields[3] == parameter ?? String(fields[3]),
        let value = Double(fields[4])
      else { continue }
      return Reading(value)
    }
    throw BenchmarkFailure("\(name) printed no figure for \(path) \(parameter ?? "")")
  }
}
