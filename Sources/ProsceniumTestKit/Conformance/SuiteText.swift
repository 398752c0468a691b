// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// A text of a suite; long ones are written as `{"concat": ["a", {"repeat": "b", "times": 9}]}`.
///
/// It is put together when its case runs, so that a short file cannot fill the memory.
struct SuiteText: Sendable {
  /// The largest length in UTF-8 bytes.
  static let byteLimit = 1 << 20

  private let parts: [(text: String, times: Int)]

  init(_ node: JSONNode) throws(JSONFileError) {
    if case .text(let text) = node.value {
      parts = [(text, 1)]
    } else if case .object = node.value {
      parts = try Self.parts(node)
    } else {
      throw node.failure(.wrongType, "a string or an object with \"concat\"")
    }
  }

  var string: String {
    parts.map { String(repeating: $0.text, count: $0.times) }.joined()
  }

  private static func parts(
    _ node: JSONNode
  ) throws(JSONFileError) -> [(text: String, times: Int)] {
    try node.checkKeys("concat")
    var parts: [(text: String, times: Int)] = []
    var byteCount = 0
    for element in try node.member("concat").elements() {
      let part = try part(element)
      parts.append(part)
      // Both factors are at most the limit, so that nothing overflows.
      byteCount += min(part.text.utf8.count, byteLimit) * part.times
      guard byteCount <= byteLimit else {
        throw node.failure(
          .outOfRange, "a text of at most \(byteLimit) bytes", found: "a longer one")
      }
    }
    return parts
  }

  private static func part(_ node: JSONNode) throws(JSONFileError) -> (text: String, times: Int) {
    if case .text(let text) = node.value { return (text, 1) }
    guard case .object = node.value else {
      throw node.failure(.wrongType, "a string or an object with \"repeat\" and \"times\"")
    }
    try node.checkKeys("repeat", "times")
    let text = try node.member("repeat").text()
    return (text, try node.member("times").integer(in: 0...byteLimit))
  }
}
