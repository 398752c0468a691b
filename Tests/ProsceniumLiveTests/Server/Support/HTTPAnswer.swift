// SPDX-License-Identifier: Apache-2.0

/// What a server answers to a request.
struct HTTPAnswer: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: String

  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The token that the client is to keep.
  var cookie: String? {
    self["set-cookie"].map { String($0.prefix { $0 != ";" }) }
  }

  /// Reads an answer from the beginning of some bytes; nil if it is not all there.
  static func read(_ bytes: ArraySlice<UInt8>, hasBody: Bool) -> (HTTPAnswer, Int)? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let lines = head.split(separator: "\r\n")
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    let headers = lines.dropFirst().map { line in
      let sides = line.split(separator: ":", maxSplits: 1)
      return (
        name: sides[0].lowercased(),
        value: sides.count > 1 ? String(sides[1].drop { $0 == " " }) : ""
      )
    }
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    let size = hasBody ? length : 0
    guard bytes.endIndex - end.upperBound >= size, words.count > 1 else { return nil }
    let body = bytes[end.upperBound..<end.upperBound + size]
    let answer = HTTPAnswer(
      status: Int(words[1]) ?? 0, headers: headers, body: String(decoding: body, as: UTF8.self))
    return (answer, end.upperBound + size - bytes.startIndex)
  }
}
