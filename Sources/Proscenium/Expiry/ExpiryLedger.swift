// SPDX-License-Identifier: Apache-2.0

/// When sessions are looked at that end if no one uses them: a pure value.
///
/// A session in use is looked at now and then, so that its last use is known; nothing is noted here
/// of single uses. One that was not used since the look before is looked at again when its time is
/// over. Times are those of one run.
struct ExpiryLedger: Sendable {
  /// Why a session is looked at.
  enum Look: Sendable, Equatable {
    /// It may have been used since the last look.
    case use
    /// It ends, unless it was used after all.
    case end
  }

  /// How long it takes at least from one end to the next, on average.
  private static let interval = Duration.milliseconds(1)
  /// How early a session may end, so that not each of them needs a moment of its own.
  private static let tolerance = Duration.milliseconds(10)

  private struct Entry: Sendable, Comparable {
    let due: Duration
    let session: SessionHandle

    static func < (left: Self, right: Self) -> Bool {
      (left.due, left.session.rawValue) < (right.due, right.session.rawValue)
    }
  }

  /// Also has what does not hold any more.
  private struct Line: Sendable {
    let look: Look
    var entries = BinaryHeap<Entry>()
  }

  private var uses = Line(look: .use)
  private var ends = Line(look: .end)
  /// What holds.
  private var looks: [SessionHandle: (look: Look, due: Duration)] = [:]
  /// Before this time no session ends.
  private var endsFrom = Duration.zero
  /// When the next session may end, if they end evenly.
  private var nextEnd = Duration.zero

  /// How many sessions are looked at some time.
  var count: Int { looks.count }

  /// How many entries are held, also those that do not hold any more.
  var entryCount: Int { uses.entries.count + ends.entries.count }

  /// When a session is looked at next, and why.
  func look(_ session: SessionHandle) -> (look: Look, due: Duration)? { looks[session] }

  /// Has a session looked at, in the place of what was to be.
  mutating func set(_ session: SessionHandle, _ look: Look, at due: Duration) {
    looks[session] = (look, due)
    let entry = Entry(due: due, session: session)
    if look == .use { uses.entries.insert(entry) } else { ends.entries.insert(entry) }
    if entryCount > 2 * looks.count + 64 { compact() }
  }

  /// Has a session not looked at.
  mutating func remove(_ session: SessionHandle) {
    looks[session] = nil
  }

  private mutating func compact() {
    func line(_ look: Look) -> Line {
      // The order of the dictionary does not matter: entries are taken by theirs.
      let holding = looks.lazy.filter { $0.value.look == look }
      return Line(
        look: look, entries: BinaryHeap(holding.map { Entry(due: $0.value.due, session: $0.key) }))
    }
    (uses, ends) = (line(.use), line(.end))
  }

  /// Lets no session end before a time.
  mutating func holdEnds(until time: Duration) {
    endsFrom = max(endsFrom, time)
  }

  /// When something is due next, or `nil`.
  mutating func nextDue() -> Duration? {
    let end = first(\.ends).map { max($0.due, endsFrom, nextEnd - Self.tolerance) }
    guard let use = first(\.uses)?.due else { return end }
    return end.map { min($0, use) } ?? use
  }

  /// The earliest entry that holds; those before it are dropped.
  private mutating func first(_ line: WritableKeyPath<Self, Line>) -> Entry? {
    while let first = self[keyPath: line].entries.min {
      if let known = looks[first.session], known == (self[keyPath: line].look, first.due) {
        return first
      }
      self[keyPath: line].entries.removeMin()
    }
    return nil
  }

  /// Takes out a session that is to be looked at now.
  ///
  /// Of those that are to end, a thousand in a second are taken at most.
  mutating func takeDue(at now: Duration) -> (session: SessionHandle, look: Look)? {
    if let use = first(\.uses), use.due <= now {
      uses.entries.removeMin()
      looks[use.session] = nil
      return (use.session, .use)
    }
    guard let end = first(\.ends), max(end.due, endsFrom, nextEnd - Self.tolerance) <= now else {
      return nil
    }
    nextEnd = max(nextEnd, now) + Self.interval
    ends.entries.removeMin()
    looks[end.session] = nil
    return (end.session, .end)
  }
}
