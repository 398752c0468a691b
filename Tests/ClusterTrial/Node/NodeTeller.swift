// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// Sends messages to sessions of all nodes, and calls those sessions in between.
  ///
  /// A call that was answered proves that what was sent before it has come, or was lost with an
  /// owner: between two answers of one owner nothing may be missing.
  struct NodeTeller: Sendable {
    let node: ClusterNode
    let history: HistoryWriter
    let sessions: TrialSessions
    let number: Int

    func run(pause: Duration) async throws {
      var random = SplitMix64(seed: UInt64(getpid()) << 8 + UInt64(number) + 128)
      // By node, since a process that was buried goes on as another node.
      var sent: [UInt64: [SessionIdentifier: Int]] = [:]
      while !Task.isCancelled {
        // It leaves the processors to the nodes.
        try await Task.sleep(for: pause)
        let known = sessions.all
        guard !known.isEmpty, let owner = node.status.number else { continue }
        let session = known[random.number(below: known.count)]
        let sender = UInt64(owner) << 8 | UInt64(number)
        var last = sent[sender]?[session] ?? 0
        for _ in 0..<4 {
          await tell(session, from: sender, &last, 1 + random.number(below: 8))
        }
        sent[sender, default: [:]][session] = last
      }
    }

    /// Sends some messages and a call behind them.
    private func tell(
      _ session: SessionIdentifier, from sender: UInt64, _ last: inout Int, _ count: Int
    ) async {
      for _ in 0..<count {
        let message = ToldMessage(sender: sender, number: last + 1).message
        // One that is refused was not accepted: its number is still free.
        guard (try? node.application.send(message, to: session)) != nil else { return }
        last += 1
      }
      guard let reply = try? await node.application.call("read", to: session),
        let answer = CountReply(reply)
      else { return }
      history.write(.answered, session, answer.tenure, last, sender: sender)
    }
  }
#endif
