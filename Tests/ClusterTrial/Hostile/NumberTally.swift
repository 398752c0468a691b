// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumPrimitives

  /// The last number that each session was told, and what came twice, late or not at all.
  final class NumberTally: Sendable {
    private struct State: Sendable {
      var last: [SessionIdentifier: Int] = [:]
      var problems: [String] = []
    }

    private let state = Guarded(State())

    /// Begins to count what a session is told.
    func expect(_ session: SessionIdentifier) { state.withLock { $0.last[session] = 0 } }

    /// Takes note of what a session was told, if it counts; returns whether it does.
    func note(_ message: SceneMessage, to session: SessionIdentifier) -> Bool {
      state.withLock { state in
        guard let last = state.last[session] else { return false }
        let number = Int(message.string) ?? -1
        if number != last + 1 { state.problems.append("expected \(last + 1), found \(number)") }
        state.last[session] = number
        return true
      }
    }

    func last(of session: SessionIdentifier) -> Int { state.withLock { $0.last[session] ?? 0 } }

    var problems: [String] { state.withLock { $0.problems } }
  }

  /// Counts what it is told, if its session is one that counts; answers anything else at length.
  final class NumberedDelegate: SceneDelegate {
    private let tally: NumberTally

    init(_ tally: NumberTally) {
      self.tally = tally
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      _ = tally.note(message, to: scene.session.id)
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      if tally.note(message, to: scene.session.id) { return message }
      return SceneMessage([UInt8](repeating: 7, count: 1_024))
    }
  }
#endif
