// SPDX-License-Identifier: Apache-2.0

/// A request of a browser.
public struct LiveRequest: Sendable {
  /// One line of its head.
  public struct Header: Sendable, Hashable {
    /// The name, in lower case.
    public let name: String
    /// The value.
    public let value: String

    init(_ name: String, _ value: String) {
      self.name = name.lowercased()
      self.value = value
    }
  }

  /// The method, such as `GET`.
  public var method: String

  /// The path, without a query.
  public var path: String

  /// The lines of its head, in their order.
  public var headers: [Header]

  /// The address that the connection comes from.
  public var peer: String

  /// The body, up to 64 KiB.
  public var body: [UInt8] = []

  /// The first line of a name, which is written in lower case.
  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The fields of a form in the body; none if it is not one.
  public var form: PageInput { PageInput(Array("form?".utf8) + body) ?? PageInput("form") }

  /// The lines of a name in one list, as they mean the same in several lines.
  func list(_ name: String) -> [Substring] {
    headers.filter { $0.name == name }.flatMap { $0.value.parts(separatedBy: ",") }
      .map { $0.trimmed }.filter { !$0.isEmpty }
  }

  /// The value of a cookie.
  func cookie(_ name: String) -> Substring? {
    for header in headers where header.name == "cookie" {
      for pair in header.value.parts(separatedBy: ";") {
        let sides = pair.parts(separatedBy: "=", atMost: 2)
        if sides.count == 2, sides[0].trimmed == name { return sides[1].trimmed }
      }
    }
    return nil
  }
}

/// What a request is answered with.
public struct LiveResponse: Sendable {
  /// The status, such as 200.
  public var status: Int

  /// What kind of body it is, such as `text/css`.
  public var type: String

  /// The body.
  public var body: [UInt8]

  /// Creates a response.
  ///
  /// - Parameters:
  ///   - status: The status, such as 200.
  ///   - type: What kind of body it is.
  ///   - body: The body.
  public init(status: Int = 200, type: String = "text/plain; charset=utf-8", body: [UInt8] = []) {
    self.status = status
    self.type = type
    self.body = body
  }

  /// Creates a response of a sentence.
  public init(status: Int, _ sentence: String) {
    self.init(status: status, body: Array((sentence + "\n").utf8))
  }

  /// Cookies that the browser is to keep.
  var cookies: [String] = []
}

extension StringProtocol {
  /// The parts between the bytes of an ASCII character, which a mark behind it does not hide.
  fileprivate func parts(
    separatedBy separator: Unicode.Scalar, atMost count: Int = .max
  ) -> [Substring] {
    Substring(self).utf8.split(
      separator: UInt8(truncatingIfNeeded: separator.value), maxSplits: count - 1
    ).map { Substring($0) }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
