// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Proscenium
  import ProsceniumClientProtocol

  /// What a client knows: what it has sent, what was confirmed, and what it has to be shown.
  struct ClientBook: Sendable {
    /// An input that is not acknowledged.
    struct Pending: Sendable {
      /// When it was due, in nanoseconds.
      let due: Int64
      /// Why it has waited for another line; nil if it has not.
      var delay: Delay?
    }

    /// Why an input waits for another line.
    enum Delay: Sendable {
      /// The line was lost.
      case lost
      /// The session was on its way to another node.
      case moved
    }

    private(set) var session: SessionIdentifier?
    /// The number of the last input.
    private(set) var sent: UInt64 = 0
    /// Those after `acknowledged`, in their order.
    private(set) var pending: [Pending] = []
    private(set) var acknowledged: UInt64 = 0
    private(set) var lastSeen: FrameNumber?
    /// How many inputs the page shows as applied; nil before it has shown something.
    private(set) var shown: UInt64?
    /// How many inputs the next frame has to show as applied, at least.
    private var due: UInt64 = 0
    /// Frames that were not acknowledged.
    private(set) var unread = 0
    /// Whether the client was welcomed before.
    private(set) var hasBeenWelcomed = false

    /// The message with which a line begins.
    func hello(_ client: ClientIdentifier, isVisible: Bool) -> ClientHello {
      ClientHello(
        client: client, lastSeen: lastSeen, nextInput: sent + 1, isVisible: isVisible,
        address: session.map { "\($0)" } ?? "")
    }

    // MARK: - What the client does

    /// Numbers a new input, which waits for another line if there is a reason.
    mutating func add(due: Int64, delay: Delay?) -> UInt64 {
      sent += 1
      pending.append(Pending(due: due, delay: delay))
      return sent
    }

    /// The line is gone; the first reason is the one that counts for an input.
    mutating func interrupt(_ delay: Delay) {
      for index in pending.indices where pending[index].delay == nil {
        pending[index].delay = delay
      }
      unread = 0
    }

    /// Everything that was shown is forgotten.
    mutating func forget() {
      lastSeen = nil
      shown = nil
    }

    mutating func didAcknowledgeFrames() {
      unread = 0
    }

    // MARK: - What it is told

    mutating func move(to address: String) {
      session = SessionIdentifier(address)
    }

    /// Takes a welcome.
    ///
    /// - Returns: What is wrong, if something is.
    mutating func welcome(_ welcome: ClientWelcome) -> String? {
      hasBeenWelcomed = true
      if welcome.reset != nil {
        forget()
        due = welcome.lastInput
      }
      // A session that has come from another node counts on in an epoch of its own.
      lastSeen = lastSeen.map { FrameNumber(epoch: welcome.epoch, count: $0.count) }
      if welcome.lastInput < acknowledged {
        return "acknowledged input is forgotten: \(acknowledged), then \(welcome.lastInput)"
      }
      return welcome.lastInput > sent ? "input is confirmed that was never sent" : nil
    }

    /// Takes an acknowledgement; returns the inputs that it is about, oldest first.
    mutating func acknowledge(_ number: UInt64) -> ArraySlice<Pending> {
      guard number > acknowledged, number <= sent else { return [] }
      let count = Int(number - acknowledged)
      defer { pending.removeFirst(count) }
      acknowledged = number
      return pending[..<count]
    }

    /// Takes a frame.
    ///
    /// - Returns: What is wrong, if something is.
    mutating func show(_ frame: SceneFrame) -> String? {
      let before = lastSeen
      lastSeen = frame.number
      unread += 1
      if let before, before.epoch == frame.number.epoch, before.count + 1 != frame.number.count {
        return "frame \(frame.number.count) came after \(before.count)"
      }
      guard let now = ShownCount(patch: frame.content.string) else {
        return "a frame shows nothing: \(frame.content.string.prefix(60))"
      }
      defer { shown = now.count }
      if now.wrong > 0 { return "\(now.wrong) inputs were not applied once and in their order" }
      if now.count > sent { return "\(now.count) inputs are applied, \(sent) were sent" }
      if now.count < due { return "\(now.count) inputs are shown, \(due) were acknowledged" }
      due = 0
      if let shown, now.count < shown { return "\(now.count) inputs are shown after \(shown)" }
      return nil
    }

    /// What is wrong when everything is acknowledged and the page is shown again.
    var finding: String? {
      shown == sent ? nil : "\(shown.map { "\($0)" } ?? "no") inputs are kept of \(sent)"
    }
  }
#endif
