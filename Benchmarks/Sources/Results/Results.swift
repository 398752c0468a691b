// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumLoad

/// Draws the results of the benchmarks as a page, and puts their tables into a Markdown file.
@main
enum Results {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (2...3).contains(arguments.count) else {
      end("usage: Results CSV PAGE [MARKDOWN]", code: 2)
    }
    do {
      let report = try Report(reading: [arguments[0]])
      try report.write(to: arguments[1])
      if arguments.count > 2 { try replaceTables(in: arguments[2], report) }
    } catch {
      end("\(error)", code: 1)
    }
  }

  private static func replaceTables(in path: String, _ report: Report) throws {
    let old = try String(contentsOfFile: path, encoding: .utf8)
    guard let new = report.replacingTables(in: old) else {
      end("\(path): expected the marks between which the tables are.", code: 1)
    }
    try new.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private static func end(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
  }
}
