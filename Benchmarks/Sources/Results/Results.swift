// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// Draws the results of the benchmarks as a page, and puts their tables into a Markdown file.
@main
enum Results {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2 else {
      FileHandle.standardError.write(Data("usage: Results CSV PAGE [MARKDOWN]\n".utf8))
      exit(2)
    }
    let report = try Report(reading: [arguments[1]])
    try report.write(to: arguments[2])
    guard let path = arguments.dropFirst(2).first else { return }
    let old = try String(contentsOfFile: path, encoding: .utf8)
    guard let new = report.replacingTables(in: old) else {
      FileHandle.standardError.write(Data("expected marks for the tables in \(path)\n".utf8))
      exit(1)
    }
    try new.write(toFile: path, atomically: true, encoding: .utf8)
  }
}
