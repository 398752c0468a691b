// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumLoad
  import ProsceniumPrimitives

  /// The scene of a session under load: it remembers which events came, as its state.
  final class TallyDelegate: StatefulSceneDelegate {
    /// What fills the state, in bytes.
    private static let filler = String(repeating: "x", count: 300)

    private let deliveries: Deliveries
    private var tally = EventTally()

    init(_ deliveries: Deliveries) {
      self.deliveries = deliveries
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      guard let event = NumberedEvent(message) else { return }
      tally.take(event.number)
      deliveries.note(event)
      scene.setNeedsCapture()
    }

    func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
      SceneMessage(tally.text)
    }

    func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
      state.write("tally", tally.text)
      state.write("filler", Self.filler)
    }

    func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
      tally = state.string("tally").flatMap { EventTally($0) } ?? EventTally()
    }
  }

  /// How long events took until their scenes had them.
  final class Deliveries: Sendable {
    private let latencies = Guarded(LatencyHistogram())

    func note(_ event: NumberedEvent) {
      let now = NumberedEvent.now
      latencies.withLock { $0.record(nanoseconds: Int(now &- min(event.time, now))) }
    }

    /// Takes what was noted since it was last asked.
    func take() -> LatencyHistogram {
      latencies.withLock { $0.take() }
    }
  }
#endif
