// SPDX-License-Identifier: Apache-2.0

extension SourceFile {
  func violation(line: Int, _ subject: String, _ message: String) -> Violation {
    Violation(path: path, line: line, subject: subject, message: message)
  }

  /// The violations on those of the given lines that `breaks` picks.
  func violations(
    in lines: [String], _ subject: String, _ message: String, where breaks: (String) -> Bool
  ) -> [Violation] {
    lines.enumerated().compactMap { offset, line in
      breaks(line) ? violation(line: offset + 1, subject, message) : nil
    }
  }
}
