// SPDX-License-Identifier: Apache-2.0

/// The transformation of a text before a comparison with options.
package enum TextFolding {
  /// Returns the form of a text in which texts that differ only as the options allow are equal.
  package static func fold(
    _ text: Span<UInt8>, _ options: Comparison.Options
  ) -> ContiguousArray<UInt8> {
    var result = ContiguousArray<UInt8>()
    result.reserveCapacity(text.count)
    for index in text.indices {
      let byte = text[index]
      let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      result.append(isUpper && options.contains(.caseInsensitive) ? byte | 0x20 : byte)
    }
    return result
  }
}
