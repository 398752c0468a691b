// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Numbers of scenes, written as `100,1000`: up to 20 different ones from 1 to 10,000,000.
struct SizesArgument: ExpressibleByArgument {
  /// The numbers in rising order.
  let sizes: [Int]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let sizes = Set(parts.compactMap { Int($0) })
    guard parts.count <= 20, sizes.count == parts.count,
      sizes.allSatisfy((1...10_000_000).contains)
    else { return nil }
    self.sizes = sizes.sorted()
  }
}
