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

  /// Makes a row of a value that may be missing.
  ///
  /// - Returns: nil where it is missing, or no finite number.
  package init?(
    _ suite: Suite, name: String, labels: [String: String] = [:], time: CSVNumber? = nil,
    metric: String, percentile: Double? = nil, measured: Double?, unit: Unit = .one
  ) {
    guard let value = measured.flatMap({ CSVNumber($0) }) else { return nil }
    self.init(
      suite, name: name, labels: labels, time: time, metric: metric,
      percentile: percentile.flatMap { CSVNumber($0) }, value: value, unit: unit)
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

extension CSVRow {
  /// Makes the rows that say under which circumstances a run took place.
  ///
  /// A text has the value 1 and is in the label that its metric names.
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

extension CSVRow {
  /// Reads labels as they are in a file, the reverse of ``labelText``.
  ///
  /// What is no label is left out: labels of other programs are none of ours.
  static func labels(of text: String) -> [String: String] {
    var labels: [String: String] = [:]
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { continue }
      labels[unescaped(sides[0])] = unescaped(sides[1])
    }
    return labels
  }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(Substring(digits)), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A finite number as the CSV writes it: decimal digits, a point at most, no exponent.
public struct CSVNumber: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The digits, such as `-12.5`.
  public let description: String

  /// Writes a whole number.
  public init(_ value: some BinaryInteger) {
    description = String(value)
  }

  /// Writes a whole number.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Writes the shortest digits that name this number exactly.
  ///
  /// - Returns: nil where the value is infinite or not a number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = "\(value == 0 ? 0 : value.magnitude)"
    let parts = text.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var whole = String(mantissa[0])
    var decimals = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if exponent > 0 {
      decimals += String(repeating: "0", count: max(0, exponent - decimals.count))
      whole += decimals.prefix(exponent)
      decimals.removeFirst(exponent)
    } else if exponent < 0 {
      let digits = String(repeating: "0", count: -exponent) + whole + decimals
      whole = String(digits.prefix(1))
      decimals = String(digits.dropFirst())
    }
    description = (value < 0 ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }
}
