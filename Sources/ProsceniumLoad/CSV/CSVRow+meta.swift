// SPDX-License-Identifier: Apache-2.0

extension CSVRow {
  /// Makes the rows that say under which circumstances a run took place.
  ///
  /// A text has the value 1 and stands in the label that its metric names.
  ///
  /// - Parameters:
  ///   - name: What was run.
  ///   - machine: The machine, such as its processor and the number of cores.
  ///   - commit: The commit of the program.
  ///   - flags: The command line after the program's name.
  ///   - seed: The seed of everything random; nil where nothing is.
  ///   - startedAt: The start in seconds since 1970.
  /// - Returns: A row each for `machine`, `commit`, `flags`, `seed` and `started_at`.
  public static func meta(
    name: String, machine: String, commit: String, flags: String, seed: UInt64?, startedAt: Int64
  ) -> [CSVRow] {
    let texts = [("machine", machine), ("commit", commit), ("flags", flags)]
    var rows = texts.map { metric, text in
      CSVRow(.meta, name: name, labels: [metric: text], metric: metric, value: 1)
    }
    if let seed { rows.append(CSVRow(.meta, name: name, metric: "seed", value: CSVNumber(seed))) }
    rows.append(
      CSVRow(
        .meta, name: name, metric: "started_at", value: CSVNumber(startedAt), unit: .seconds))
    return rows
  }
}
