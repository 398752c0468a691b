// SPDX-License-Identifier: Apache-2.0

/// The seeds that every simulated test runs: 200 in the ordinary run.
///
/// `PROSCENIUM_SIMULATED_SEEDS` sets how many, `PROSCENIUM_SIMULATED_SEED` the first of them.
enum SimulatedSeeds {
  private static let first = StormPlan.number("PROSCENIUM_SIMULATED_SEED") ?? 1
  private static let count = StormPlan.number("PROSCENIUM_SIMULATED_SEEDS") ?? 200

  /// One of several parts, so that they use all processors.
  static func part(_ part: Int, of parts: Int) -> [UInt64] {
    stride(from: part, to: count, by: parts).map { UInt64(first &+ $0) }
  }
}
