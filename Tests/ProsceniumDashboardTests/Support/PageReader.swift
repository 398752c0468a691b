// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation

/// A page that is open: it reads the stream of updates.
struct PageReader {
  private let socket: AsyncSocket
  private var bytes: [UInt8] = []
  /// The status line, as `200`.
  private(set) var status = 0

  /// Opens a page; it is open when this returns, or refused.
  init(_ client: PageClient) async throws {
    socket = try await client.connect()
    let request = "GET /updates HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n\r\n"
    try await socket.write(Data(request.utf8))
    let end = Array("\r\n\r\n".utf8)
    let head = try await take { bytes in
      bytes.firstRange(of: end).map { (0..<$0.lowerBound, $0.upperBound) }
    }
    let reply = PageReply(String(decoding: head ?? [], as: UTF8.self))
    status = reply.status
    guard status == 200 else { return }
    _ = try await chunk()
  }

  /// What one update has changed, by the names of its fragments; nil at the end of the stream.
  mutating func update() async throws -> [String: String]? {
    var text = ""
    repeat {
      guard let chunk = try await chunk() else { return nil }
      text += chunk
    } while !text.hasSuffix("\n\n")
    var fragments: [String: String] = [:]
    for event in text.components(separatedBy: "\n\n") where event.hasPrefix("event: fragment\n") {
      let data = event.split(separator: "\n").dropFirst().map { $0.dropFirst("data: ".count) }
      fragments[String(data.first ?? "")] = data.dropFirst().joined(separator: "\n")
    }
    return fragments
  }

  /// Leaves the page.
  func close() throws { try socket.close() }

  private mutating func chunk() async throws -> String? {
    let line = Array("\r\n".utf8)
    let size = try await take { bytes in
      bytes.firstRange(of: line).map { (0..<$0.lowerBound, $0.upperBound) }
    }
    guard let size, let count = Int(String(decoding: size, as: UTF8.self), radix: 16), count > 0
    else { return nil }
    let chunk = try await take { bytes in
      bytes.count < count + 2 ? nil : (0..<count, count + 2)
    }
    return chunk.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads until something is complete; nil if the stream ends before.
  private mutating func take(
    _ find: ([UInt8]) -> (taken: Range<Int>, end: Int)?
  ) async throws -> [UInt8]? {
    while true {
      if let found = find(bytes) {
        defer { bytes.removeFirst(found.end) }
        return Array(bytes[found.taken])
      }
      guard let more = try? await socket.read(atMost: 65_536), !more.isEmpty else { return nil }
      bytes += more
    }
  }
}
