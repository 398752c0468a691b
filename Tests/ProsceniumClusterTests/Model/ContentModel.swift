// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  /// What must hold of events that are routed by their content, in a cluster whose sessions each
  /// show what they were made for.
  struct ContentModel: Sendable {
    private struct Delivery: Sendable {
      let session: SessionIdentifier
      let life: String
    }

    /// Where each event was delivered.
    private var deliveries: [String: Delivery] = [:]
    private var refused: Set<String> = []
    /// The sessions that were made for some content.
    private var sessions: [String: Set<SessionIdentifier>] = [:]
    /// How many events were delivered.
    var count: Int { deliveries.count }

    /// An event was delivered.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - session: The session that was given it.
    ///   - content: The event's content.
    ///   - life: The process.
    ///   - rows: The sessions that the database has.
    /// - Returns: What must not be, if it is so.
    mutating func deliver(
      _ event: String, to session: SessionIdentifier, _ content: String, by life: String,
      _ rows: some Collection<SessionIdentifier>
    ) -> String? {
      if let before = deliveries[event] {
        return "\(life) is given the event \(event), as \(before.life) was"
      }
      deliveries[event] = Delivery(session: session, life: life)
      if refused.contains(event) { return "\(life) is given \(event), which was refused" }
      let others = (sessions[content] ?? []).subtracting([session])
      sessions[content, default: []].insert(session)
      return others.sorted().first { rows.contains($0) }.map {
        "\(life) shows \(content) in \(session), which \($0) was made for"
      }
    }

    /// The sender of an event has its answer; returns what must not be, if it is so.
    func answer(_ event: String, _ session: SessionIdentifier) -> String? {
      guard deliveries[event]?.session != session else { return nil }
      return "\(event) is said to be delivered to \(session), and was not"
    }

    /// The sender of an event was told that it is not delivered; returns what must not be.
    mutating func refuse(_ event: String) -> String? {
      refused.insert(event)
      return deliveries[event].map { "\(event) was refused, and delivered to \($0.session)" }
    }
  }
#endif
