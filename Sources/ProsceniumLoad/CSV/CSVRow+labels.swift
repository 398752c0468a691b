// SPDX-License-Identifier: Apache-2.0

extension CSVRow {
  /// Reads labels as they stand in a file, the reverse of ``labelText``.
  ///
  /// What is no label is left out: labels of other programs are none of ours.
  static func labels(of text: String) -> [String: String] {
    var labels: [String: String] = [:]
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { continue }
      labels[unescaped(sides[0])] = unescaped(sides[1])
    }
    return labels
  }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(Substring(digits)), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
