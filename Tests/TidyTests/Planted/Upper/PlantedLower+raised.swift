// SPDX-License-Identifier: Apache-2.0

extension PlantedLower {
  /// The other half of the cycle.
  var raised: Int { depth + 1 }
}
