// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One of the two axes of a chart.
package struct ChartAxis: Sendable, Hashable {
  /// How numbers become distances.
  package enum Scale: Sendable, Hashable {
    /// Equal steps are equally long.
    case linear
    /// Equal ratios are equally long; what is not above 0 is left out.
    case logarithmic
    /// Percentiles from 0 to below 100: each further nine is equally long.
    case nines
  }

  /// A number along the axis that has a line and a text.
  struct Tick: Hashable {
    let value: Double
    let text: String
  }

  /// The text next to the axis.
  package var title: String
  /// What the numbers count.
  package var unit: ChartUnit
  /// How they become distances.
  package var scale: Scale

  /// Creates an axis.
  package init(_ title: String, _ unit: ChartUnit, _ scale: Scale = .linear) {
    self.title = title
    self.unit = unit
    self.scale = scale
  }

  /// Whether the axis can show a number.
  func shows(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    return switch scale {
    case .linear: true
    case .logarithmic: value > 0
    case .nines: (0..<100).contains(value)
    }
  }

  /// A number as a distance, in a measure of the scale's own.
  func position(_ value: Double) -> Double {
    switch scale {
    case .linear: value
    case .logarithmic: log10(value)
    case .nines: -log10(1 - value / 100)
    }
  }

  /// The ends of an axis that shows values, which are as round as its ticks.
  ///
  /// - Parameter values: What is to be seen; there may be none.
  /// - Returns: The least and the greatest number on the axis.
  func range(of values: [Double]) -> ClosedRange<Double> {
    let shown = values.filter(shows)
    guard let least = shown.min(), let most = shown.max() else { return emptyRange }
    switch scale {
    case .linear where unit == .moment: return least...max(most, least + 1e-9)
    case .linear:
      let (low, high) = (min(least, 0), max(most, 0))
      guard high > low else { return emptyRange }
      let step = Self.step(for: high - low)
      return (low / step).rounded(.down) * step...(high / step).rounded(.up) * step
    case .logarithmic:
      let (low, high) = (log10(least).rounded(.down), log10(most).rounded(.up))
      return max(pow(10, low), .leastNormalMagnitude)...min(pow(10, max(high, low + 1)), 1e308)
    case .nines: return 0...max(most, 90)
    }
  }

  /// The ends of an axis that shows nothing.
  private var emptyRange: ClosedRange<Double> {
    switch scale {
    case .linear: 0...1
    case .logarithmic: 1...10
    case .nines: 0...90
    }
  }

  /// The ticks between two ends, at most 20.
  func ticks(in range: ClosedRange<Double>) -> [Tick] {
    switch scale {
    case .linear:
      let step = Self.step(for: range.upperBound - range.lowerBound)
      let first = (range.lowerBound / step).rounded(.up)
      // In a narrow range far from 0 a step can be too small for the numbers there.
      return (0..<20).map { (first + Double($0)) * step }.filter(range.contains).map { tick($0) }
    case .logarithmic:
      let first = log10(range.lowerBound).rounded()
      let last = log10(range.upperBound).rounded()
      // Of many powers of ten every so-manyth has a line.
      let skip = max(1, ((last - first) / 8).rounded(.up))
      return stride(from: first, through: last, by: skip).prefix(20).map { tick(pow(10, $0)) }
    case .nines:
      return [0, 50, 90, 99, 99.9, 99.99, 99.999].filter(range.contains).map {
        Tick(value: $0, text: ChartUnit.decimal($0, places: 3))
      }
    }
  }

  private func tick(_ value: Double) -> Tick {
    Tick(value: value, text: unit.text(value))
  }

  /// 1, 2 or 5 with zeros, so that a span has four to ten steps.
  static func step(for span: Double) -> Double {
    let power = pow(10, log10(span / 5).rounded(.down))
    let ratio = span / 5 / power
    return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10)
  }
}
