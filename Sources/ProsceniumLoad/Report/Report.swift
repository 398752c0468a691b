// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON

/// A page about the runs in CSV files: figures, charts, and a comparison where there are several.
///
/// The page is one file that needs no other one. It is drawn as SVG, so that it can be printed,
/// read aloud and tested; it runs no program.
public struct Report: Sendable {
  /// How many runs a page shows with charts of their own: the last ones of each file.
  static let runLimit = 12

  /// How many files are compared at most.
  public static let fileLimit = 8

  let files: [[ReportRun]]
  /// The runs of all files beside one another.
  public let comparison: ReportComparison

  /// Reads files.
  ///
  /// - Parameter paths: The files, at least one; `-` is standard input.
  /// - Throws: `FileError`, if one cannot be read; `FileError`, if one is not as the schema
  ///   says.
  public init(reading paths: [String]) throws {
    files = try paths.map { try ReportReader.read($0) }
    comparison = ReportComparison(files)
  }

  /// Takes the results of one run.
  ///
  /// - Parameters:
  ///   - run: Its identifier.
  ///   - rows: Its rows.
  public init(run: String, _ rows: [CSVRow]) {
    files = [[ReportRun(id: run, rows)]]
    comparison = ReportComparison(files)
  }

  /// How many runs there are.
  public var runCount: Int { files.reduce(0) { $0 + $1.count } }

  /// The page, in HTML.
  public var html: String { ReportPage(self).html }

  /// Makes sure that a page can be written, so that a long run does not end without it.
  ///
  /// - Parameter path: The file, which is neither made nor changed.
  /// - Throws: `.cannotOpen`.
  public static func checkWritable(_ path: String) throws(FileError) {
    try ByteFile.checkWritable(path)
  }

  /// Writes the page.
  ///
  /// - Parameter path: The file, which is replaced.
  /// - Throws: `FileError`, if it cannot be written.
  public func write(to path: String) throws(FileError) {
    var writer = try LineWriter(path: path)
    try writer.write(html)
    try writer.finish()
  }
}
