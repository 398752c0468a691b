// SPDX-License-Identifier: Apache-2.0

import FlyingSocks

/// The body of an answer after which the connection ends.
///
/// The body of the request was not read. If the connection went on, what is left of it would be
/// taken for the next request.
struct ClosingBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: [UInt8]

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var rest: ArraySlice<UInt8>

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      // The only way to have the server close a connection.
      if rest.isEmpty { throw SocketError.disconnected }
      defer { rest = rest.dropFirst(Swift.max(count, 1)) }
      return rest.prefix(Swift.max(count, 1))
    }
  }
}
