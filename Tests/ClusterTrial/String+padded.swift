// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  extension String {
    /// The text with spaces up to a width, before it or after it.
    func padded(to width: Int, isNumber: Bool = false) -> String {
      let spaces = String(repeating: " ", count: max(0, width - count))
      return isNumber ? spaces + self : self + spaces
    }
  }
#endif
