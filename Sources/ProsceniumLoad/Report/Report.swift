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
  /// The runs of all files side by side.
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

/// The figures of several runs or files side by side: what changed, and whether it is more than
/// what changes by itself.
public struct ReportComparison: Sendable {
  /// One figure in all columns.
  struct Row: Sendable {
    let figure: ReportFigure
    /// The value in the middle of each column's runs; nil where it has none.
    let values: [Double?]
    /// How far runs of one column lie apart, for each unit of their middle value; nil if no column
    /// has several runs.
    let noise: Double?

    /// The first value and the last one; nil where one is missing, or is not that of a whole run.
    let ends: (first: Double, last: Double)?

    /// The last value for each unit of the first one; nil where there are not both, or it is 0.
    var ratio: Double? {
      guard let ends, ends.first != 0 else { return nil }
      return ends.last / ends.first
    }

    /// How much worse the last column is than the first: 0.1 for a tenth; 0 if it isn't.
    var worsening: Double {
      guard let better = figure.moreIsBetter, let ends else { return 0 }
      // What was 0, as errors are, is no longer good when it is anything.
      guard ends.first > 0 else { return !better && ends.last > 0 ? .infinity : 0 }
      return max(0, better ? 1 - ends.last / ends.first : ends.last / ends.first - 1)
    }
  }

  /// How many columns there are at most; of more runs in one file the last ones are shown.
  static let columnLimit = 8

  /// The names of the columns.
  let columns: [String]
  /// The figures that more than one column has, or the only one.
  let rows: [Row]
  /// Why the last column cannot be judged by the first one, in words; nil if it can.
  package let obstacle: String?

  /// Compares files with one another, or the runs of the only one.
  init(_ files: [[ReportRun]]) {
    let all = files.count > 1 ? files : (files.first ?? []).suffix(Self.columnLimit).map { [$0] }
    let sides = all.map { side in
      // What was stopped early says nothing where there is something that ran to its end.
      side.contains { !$0.isStopped } ? side.filter { !$0.isStopped } : side
    }
    let stopped = sides.map { $0.allSatisfy(\.isStopped) }
    columns = zip(sides, stopped).map { side, isStopped in
      let name = (files.count > 1 ? side.first?.path : side.first?.id) ?? ""
      return isStopped ? name + " (stopped early)" : name
    }
    let isComparable = sides.count > 1 && stopped.first == false && stopped.last == false
    let tables = sides.map { Self.values(of: $0) }
    var order: [ReportFigure] = []
    var seen: Set<ReportFigure> = []
    for run in sides.joined() {
      for total in run.totals
      where total.figure.metric != "verdict" && seen.insert(total.figure).inserted {
        order.append(total.figure)
      }
    }
    rows = order.compactMap { figure in
      let found = tables.map { $0[figure] ?? [] }
      let count = found.count { !$0.isEmpty }
      guard count > 1 || sides.count == 1 else { return nil }
      let values = found.map { ReportRun.median($0) }
      var ends: (Double, Double)?
      if isComparable, let first = values.first ?? nil, let last = values.last ?? nil {
        ends = (first, last)
      }
      let noise = found.compactMap { Self.spread($0) }.max()
      return Row(figure: figure, values: values, noise: noise, ends: ends)
    }
    obstacle = Self.obstacle(columns, isComparable, rows)
  }

  /// Why nothing can be said of the first column and the last one, as what was expected and found.
  private static func obstacle(
    _ columns: [String], _ isComparable: Bool, _ rows: [Row]
  ) -> String? {
    if !isComparable {
      return "expected runs that were not stopped early in the first file and in the last one, "
        + "found \(columns.joined(separator: ", "))"
    }
    if rows.contains(where: { $0.figure.moreIsBetter != nil && $0.ends != nil }) { return nil }
    return "expected figures that the first file and the last one have in common, found none"
  }

  private static func values(of side: [ReportRun]) -> [ReportFigure: [Double]] {
    var values: [ReportFigure: [Double]] = [:]
    for run in side {
      for total in run.totals { values[total.figure, default: []] += total.values }
    }
    return values
  }

  /// The distance of the greatest and the least, for each unit of the middle one.
  private static func spread(_ values: [Double]) -> Double? {
    guard values.count > 1, let least = values.min(), let most = values.max(),
      let middle = ReportRun.median(values), middle != 0
    else { return nil }
    return (most - least) / middle.magnitude
  }

  /// The figures that became worse by more than a share, and by more than their noise.
  ///
  /// - Parameter share: Such as 0.1 for a tenth.
  /// - Returns: A sentence for each.
  public func worsened(by share: Double) -> [String] {
    rows.filter { $0.worsening > max(share, $0.noise ?? 0) }.map { row in
      let first = row.values.first.flatMap { $0 }.map { row.figure.text($0) } ?? "-"
      let last = row.values.last.flatMap { $0 }.map { row.figure.text($0) } ?? "-"
      return "\(row.figure.name): \(row.figure.title) went from \(first) to \(last)"
    }
  }

  /// Figures that have a good and a bad direction, as a table for people.
  public var text: String {
    var table = TextTable([.left] + columns.map { _ in .right } + [.right, .right])
    table.add(row: [""] + columns + ["ratio", "noise"])
    for row in rows where row.figure.moreIsBetter != nil {
      let values = row.values.map { $0.map { row.figure.text($0) } ?? "-" }
      table.add(row: [row.figure.title] + values + [Self.ratio(row.ratio), Self.noise(row.noise)])
    }
    return table.description
  }

  static func ratio(_ ratio: Double?) -> String {
    ratio.map { "×" + NumberText.fixed($0, places: 3) } ?? ""
  }

  static func noise(_ noise: Double?) -> String {
    noise.map { "±" + NumberText.fixed(50 * $0, places: 1) + " %" } ?? ""
  }
}
