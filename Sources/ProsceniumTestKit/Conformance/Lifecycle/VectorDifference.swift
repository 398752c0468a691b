// SPDX-License-Identifier: Apache-2.0

/// What a vector does not find as it expects it, in one line.
struct VectorDifference: Error, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
