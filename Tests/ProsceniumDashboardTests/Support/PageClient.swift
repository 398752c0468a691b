// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// An answer as a client reads it.
struct PageReply: Sendable {
  let status: Int
  let headers: [String: String]
  let body: String

  init(_ text: String) {
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].components(separatedBy: "\r\n")
    status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let field = line.split(separator: ":", maxSplits: 1)
      guard field.count == 2 else { continue }
      headers[field[0].lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
    }
    self.headers = headers
    body = parts.count > 1 ? String(parts[1]) : ""
  }

  /// The code of a refusal, or `accepted`.
  var code: String? { json["code"] }

  /// The sentence of a refusal or an acceptance.
  var message: String? { json["message"] }

  private var json: [String: String] {
    (try? JSONDecoder().decode([String: String].self, from: Data(body.utf8))) ?? [:]
  }
}

/// A client that writes requests as bytes, so that it can also write what no browser would.
struct PageClient: Sendable {
  let port: UInt16

  /// Sends a request and reads until the server closes the connection.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], body: String? = nil
  ) async throws -> PageReply {
    var fields = fields
    if fields["Host"] == nil { fields["Host"] = "127.0.0.1:\(port)" }
    if let body, fields["Transfer-Encoding"] == nil {
      fields["Content-Length"] = String(body.utf8.count)
    }
    var text = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return PageReply(try await exchange(text + "\r\n" + (body ?? "")))
  }

  /// Sends bytes and reads until the server closes the connection.
  func exchange(_ text: String) async throws -> String {
    let socket = try await connect()
    defer { try? socket.close() }
    try await socket.write(Data(text.utf8))
    var bytes: [UInt8] = []
    while let more = try? await socket.read(atMost: 4_096), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  func connect() async throws -> AsyncSocket {
    // Hundreds of tests share the processors: a client waits longer here than one of its own would.
    try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: port), timeout: 300)
  }
}
