// SPDX-License-Identifier: Apache-2.0

extension MetricSeries {
  /// The name of a series: that of its family, and its dimensions.
  struct Name: Hashable, Comparable, Sendable {
    /// As Prometheus names it: `proscenium_connects_total`.
    let family: String
    /// Inside the braces: `session="new"`.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) {
      var family = Self.identifier(label, allowing: ":")
      switch kind {
      case .counter where !family.hasSuffix("_total"): family += "_total"
      case .timer where !family.hasSuffix("_seconds"): family += "_seconds"
      default: break
      }
      self.family = family
      labels =
        dimensions
        .map { (Self.identifier($0, allowing: "_"), Self.escaped($1)) }
        .sorted { $0.0 < $1.0 }
        .map { "\($0)=\"\($1)\"" }
        .joined(separator: ",")
    }

    static func < (left: Name, right: Name) -> Bool {
      (left.family, left.labels) < (right.family, right.labels)
    }

    /// A line of the text.
    func line(_ suffix: String, _ quantile: String?, _ value: Double) -> String {
      var labels = labels.isEmpty ? [] : [labels]
      if let quantile { labels.append("quantile=\"\(quantile)\"") }
      let shown = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      return "\(family)\(suffix)\(shown) \(Self.number(value))\n"
    }

    /// A text with an underscore for everything that names cannot have.
    private static func identifier(_ text: String, allowing other: Character) -> String {
      let allowed = text.map { character in
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
          || character == other ? character : "_"
      }
      let isNumbered = allowed.first?.isNumber ?? true
      return (isNumbered ? "_" : "") + String(allowed)
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
      if value.isNaN { return "NaN" }
      if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
      return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
  }
}
