// SPDX-License-Identifier: Apache-2.0

/// One measured value, as one row of the CSV: the schema that all programs share.
///
/// A total has no time, no percentile and no labels.
public struct CSVRow: Hashable, Sendable {
  /// Which program or part of it measured.
  public enum Suite: String, Hashable, Sendable {
    /// A replayed access log.
    case replay
    /// A load test.
    case load
    /// A benchmark.
    case bench
    /// The circumstances of the run, rather than a result.
    case meta
  }

  /// What a value counts.
  public enum Unit: String, Hashable, Sendable {
    /// Seconds.
    case seconds = "s"
    /// Bytes.
    case bytes = "B"
    /// A number of things, or a ratio.
    case one = "1"
    /// Things a second.
    case perSecond = "1/s"
    /// Bytes a second.
    case bytesPerSecond = "B/s"
  }

  /// The number of the schema, the first column of each row.
  public static let schemaVersion = 1
  /// The names of the columns.
  public static let columns = [
    "schema_version", "run", "suite", "name", "labels", "t_s", "metric", "percentile", "value",
    "unit",
  ]

  /// Which program or part of it measured.
  public var suite: Suite
  /// What was run, such as a workload's or a benchmark's name.
  public var name: String
  /// What tells rows of one metric apart; it carries all texts.
  public var labels: [String: String]
  /// The time since the start in seconds; nil in summary rows.
  public var time: CSVNumber?
  /// What was measured, in snake_case.
  public var metric: String
  /// Which percentile the value is, 0–100; nil where it is none.
  public var percentile: CSVNumber?
  /// The value.
  public var value: CSVNumber
  /// What the value counts.
  public var unit: Unit

  /// Makes a row.
  public init(
    _ suite: Suite, name: String, labels: [String: String] = [:], time: CSVNumber? = nil,
    metric: String, percentile: CSVNumber? = nil, value: CSVNumber, unit: Unit = .one
  ) {
    self.suite = suite
    self.name = name
    self.labels = labels
    self.time = time
    self.metric = metric
    self.percentile = percentile
    self.value = value
    self.unit = unit
  }

  /// The row's fields in the order of the columns, before they are quoted.
  ///
  /// - Parameter run: The identifier of the run.
  /// - Returns: Ten texts.
  public func fields(run: String) -> [String] {
    [
      String(Self.schemaVersion), run, suite.rawValue, name, labelText,
      time?.description ?? "", metric, percentile?.description ?? "", value.description,
      unit.rawValue,
    ]
  }

  /// The labels as `k=v;k=v`, sorted by the bytes of their keys.
  ///
  /// `%`, `=`, `;` and control characters are written as `%` and two hexadecimal digits.
  var labelText: String {
    labels.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { Self.escaped($0.key) + "=" + Self.escaped($0.value) }
      .joined(separator: ";")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%", "=", ";", "\u{00}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += digits.count < 2 ? "%0" + digits : "%" + digits
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
