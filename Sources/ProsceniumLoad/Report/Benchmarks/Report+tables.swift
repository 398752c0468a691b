// SPDX-License-Identifier: Apache-2.0

extension Report {
  /// Where the tables of the benchmarks begin and end in a Markdown file.
  static let tableMarks = (begin: "<!-- benchmarks -->", end: "<!-- end of benchmarks -->")

  /// Puts the tables of the last run of benchmarks into a Markdown file, between two marks that are
  /// there already: `<!-- benchmarks -->` and `<!-- end of benchmarks -->`.
  ///
  /// - Parameter text: What is in the file.
  /// - Returns: The text with new tables, or nil if it has no marks, or there are no benchmarks.
  public func replacingTables(in text: String) -> String? {
    guard let run = files.joined().last(where: { $0.suites.contains("bench") }),
      let begin = text.firstRange(of: Self.tableMarks.begin),
      let end = text[begin.upperBound...].firstRange(of: Self.tableMarks.end)
    else { return nil }
    return text[..<begin.upperBound] + "\n\n" + BenchmarkTables(run).text + "\n"
      + text[end.lowerBound...]
  }
}
