// SPDX-License-Identifier: Apache-2.0

import FlyingSocks
import Foundation
import Proscenium
import ProsceniumClientProtocol

/// Serves clients at a socket of this machine.
struct SocketHost {
  /// Where clients find the socket.
  enum Place: Sendable {
    /// A free port.
    case anyPort
    /// A path; what is there is replaced.
    case path(String)
  }

  let host: ClientHost

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - place: Where it listens.
  ///   - listening: Is called once it can be connected to, with the port if it has one.
  /// - Throws: What the sockets throw.
  func run(
    at place: Place = .anyPort, listening: @escaping @Sendable (UInt16) -> Void = { _ in }
  ) async throws {
    let (socket, port) = try Self.listen(at: place)
    let pool: some AsyncSocketPool = .make()
    try await pool.prepare()
    let incoming = try AsyncSocket(socket: socket, pool: pool)
    try await withThrowingTaskGroup { group in
      group.addTask { try await pool.run() }
      group.addTask { [host] in
        listening(port)
        await withDiscardingTaskGroup { group in
          while let connection = try? await incoming.accept() {
            group.addTask { await Self.serve(connection, by: host) }
          }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func listen(at place: Place) throws -> (Socket, UInt16) {
    switch place {
    case .anyPort:
      let socket = try Socket(domain: AF_INET, type: .stream)
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
      try socket.listen()
      guard case .ip4(_, let port) = try socket.sockname() else { throw SocketError.disconnected }
      return (socket, port)
    case .path(let path):
      try? FileManager.default.removeItem(atPath: path)
      let socket = try Socket(domain: AF_UNIX, type: .stream)
      try socket.bind(to: .unix(path: path))
      try socket.listen()
      return (socket, 0)
    }
  }

  private static func serve(_ connection: AsyncSocket, by host: ClientHost) async {
    await host.serve(SocketMessages(socket: connection)) { message in
      try await connection.write(Data(MessageStream.framed(message)))
    }
    try? connection.close()
  }
}

/// The messages that come through a socket.
struct SocketMessages: AsyncSequence, Sendable {
  let socket: AsyncSocket

  struct AsyncIterator: AsyncIteratorProtocol {
    let socket: AsyncSocket
    private var stream = MessageStream()

    init(_ socket: AsyncSocket) {
      self.socket = socket
    }

    mutating func next() async throws -> ArraySlice<UInt8>? {
      while true {
        if let message = try stream.next() { return message }
        stream.append(try await socket.read(atMost: 65_536))
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket) }
}
