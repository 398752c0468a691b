// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import ProsceniumLocalPostgres

  /// What goes through a connection of a proxy in one direction.
  struct ProxyFlow {
    private struct Chunk {
      let due: ContinuousClock.Instant
      /// None for the end.
      var bytes: [UInt8]
    }

    private static let largestSize = 1 << 20

    private var chunks: [Chunk] = []
    private var size = 0
    private var foundEnd = false
    /// Whether the end was passed on.
    private(set) var hasEnded = false

    var isEmpty: Bool { chunks.isEmpty }
    var wantsToRead: Bool { !foundEnd && size < Self.largestSize }
    /// When the next bytes are to be written; nil if there are none.
    var due: ContinuousClock.Instant? { chunks.first?.due }

    /// Reads what there is, and gives whether the connection is still there.
    ///
    /// The budget is how many bytes may be read, if there is a limit.
    mutating func read(
      from socket: LocalSocket, due: ContinuousClock.Instant, budget: inout Int?
    ) -> Bool {
      while wantsToRead, budget != 0 {
        switch socket.read(most: min(1 << 16, budget ?? Int.max)) {
        case .bytes(let bytes):
          chunks.append(Chunk(due: due, bytes: bytes))
          size += bytes.count
          budget = budget.map { $0 - bytes.count }
        case .end:
          chunks.append(Chunk(due: due, bytes: []))
          foundEnd = true
        case .nothing: return true
        case .failure: return false
        }
      }
      return true
    }

    /// Writes what is due, and gives whether the connection is still there.
    mutating func write(to socket: LocalSocket, _ now: ContinuousClock.Instant) -> Bool {
      while let chunk = chunks.first, chunk.due <= now {
        if chunk.bytes.isEmpty {
          socket.endWriting()
          hasEnded = true
        } else {
          guard case .bytes(let count) = socket.write(chunk.bytes) else { return false }
          size -= count
          guard count == chunk.bytes.count else {
            chunks[0].bytes.removeFirst(count)
            return true
          }
        }
        chunks.removeFirst()
      }
      return true
    }
  }
#endif
