// SPDX-License-Identifier: Apache-2.0

extension Allowance {
  /// What is over the limits of ``CodeGraph/findings()``: as much as is measured, so that it only
  /// gets less.
  static let directions = [
    // Its other conformer is compiled on Apple's systems.
    "ProsceniumSealing: SealingLibrary: protocol without two conformers": 1
  ]
}
