// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

/// Makes a trace in which few sessions are popular, and scans go by.
///
/// A session's rank r has a probability in proportion to 1 / rˢ (Zipf's law). A scan is a row
/// of new sessions with one event each, as robots make them. The logarithm is the system's: other
/// systems may draw a few events otherwise.
package struct PolicyWorkload: Hashable, Sendable {
  /// The number of popular sessions.
  package var sessions = 100_000
  /// The number of events.
  package var events = 2_000_000
  /// The exponent s of the law, 0–4.
  package var exponent = 0.99
  /// How many of a hundred events belong to scans, 0–99.
  package var scanPercent = 0
  /// The number of events of a scan.
  package var scanLength = 10_000
  /// The seed of what is drawn.
  package var seed: UInt64 = 1

  /// Makes a workload with the default values.
  package init() {}

  /// Draws the trace.
  package func trace() -> PolicyTrace {
    var trace = PolicyTrace()
    var random = SplitMix64(seed: seed)
    let table = ZipfTable(
      (1...max(sessions, 1)).map { UInt64(Double(1 << 40) * pow(Double($0), -exponent)) + 1 })
    var numbers = [UInt32?](repeating: nil, count: max(sessions, 1))
    let scan = scanPercent == 0 ? 0 : max(scanLength, 1)
    let period = scan == 0 ? 1 : max(scan * 100 / min(scanPercent, 99), scan + 1)
    for event in 0..<events {
      let new = UInt32(trace.sessionCount)
      if event % period >= period - scan {
        trace.append(new)
        continue
      }
      let rank = table.rank(&random)
      let number = numbers[rank] ?? new
      numbers[rank] = number
      trace.append(number)
    }
    return trace
  }
}
