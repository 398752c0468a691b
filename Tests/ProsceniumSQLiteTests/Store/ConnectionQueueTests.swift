// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Proscenium
@testable import ProsceniumSQLite
import Testing

struct ConnectionQueueTests {
  /// Closes its connection with its last reference, as a store does that was not closed.
  private final class Owner: Sendable {
    let queue: ConnectionQueue
    private let ended: AsyncStream<Void>.Continuation

    init(_ path: String, _ ended: AsyncStream<Void>.Continuation) throws {
      queue = try ConnectionQueue(path, label: "owned")
      self.ended = ended
    }

    deinit {
      queue.close()
      ended.yield()
    }
  }

  @Test func `an owner that goes with its queue's last work closes the connection`() async throws {
    let folder = try TemporaryFolder()
    let (endings, ended) = AsyncStream.makeStream(of: Void.self)
    let isAlone = DispatchSemaphore(value: 0)
    do {
      let owner = try Owner(folder.path("store"), ended)
      owner.queue.start { [owner] in
        isAlone.wait()
        _ = owner.queue.connection
      }
    }
    isAlone.signal()
    for await _ in endings { break }
    // The file can be had again.
    let next = try ConnectionQueue(folder.path("store"), label: "next")
    try next.wait { (connection) throws(StoreError) in
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    }
    next.close()
  }
}
