// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What became of all events of a trial.
  ///
  /// The process that has sent them says it in one line.
  struct EventTotals: Sendable {
    static let mark = "events "

    var sent = 0
    /// Those among them that were sent one after another, so many a second.
    var flowed = 0
    /// Those that came, each counted once.
    var given = 0
    /// Those whose sender was told that they are lost.
    var lost = 0
    /// Those of the lost ones that a node may have had before it ended.
    var unknown = 0
    /// Those that neither came nor were told to be lost.
    var missing = 0
    var double = 0
    var late = 0
    /// Those that were not accepted; they are not among those sent.
    var refused = 0
    /// Sessions that did not answer what came.
    var silent = 0
    /// How long events were sent, in milliseconds.
    var time = 0
    /// How long the sender waited at most until an event was accepted, in milliseconds.
    var wait = 0

    private static var fields: [(name: String, path: WritableKeyPath<EventTotals, Int>)] {
      [
        ("sent", \.sent), ("flowed", \.flowed), ("given", \.given), ("lost", \.lost),
        ("unknown", \.unknown),
        ("missing", \.missing), ("double", \.double), ("late", \.late), ("refused", \.refused),
        ("silent", \.silent), ("duration", \.time), ("wait", \.wait),
      ]
    }

    init() {}

    /// Reads the line.
    init(_ line: String) {
      for field in Self.fields {
        self[keyPath: field.path] = Int(NodeProcess.value(field.name, in: line))
      }
    }

    var line: String {
      Self.mark
        + Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" }.joined(separator: " ")
    }

    /// Adds what a session was sent, what it says, and how many its sender was told to be lost.
    mutating func add(sent: Int, _ tally: EventTally?, lost: Int) {
      self.sent += sent
      self.lost += lost
      guard let tally else {
        silent += 1
        return
      }
      given += tally.given
      missing += max(0, sent - tally.given - lost)
      double += tally.double
      late += tally.late
    }
  }
#endif
