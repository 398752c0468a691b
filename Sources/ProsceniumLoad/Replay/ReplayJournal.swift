// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumJSON
import ProsceniumPrimitives

/// What the scenes of a replay report as it happens, behind one lock.
///
/// Which scenes are connected and which are in the foreground is noted by their own callbacks, so
/// that it is true whatever brought it about, and in which order.
final class ReplayJournal: Sendable {
  private struct Contents: Sendable {
    var run = ReplayRun()
    var counts = ReplayCounts()
    var labels: [SessionIdentifier: ReplayRun.Label] = [:]
    // Connected scenes, but for those that the system is about to disconnect.
    var connected = RecencyList<SessionIdentifier>()
    var leaving: Set<SessionIdentifier> = []
    var foreground = RecencyList<SessionIdentifier>()
    var failure: FileError?

    mutating func label(_ session: SessionIdentifier) -> (ReplayRun.Label, isNew: Bool) {
      if let label = labels[session] { return (label, false) }
      let label = ReplayRun.Label(clamping: labels.count)
      labels[session] = label
      return (label, true)
    }
  }

  private let contents: Guarded<Contents>

  // Ends when the store has refused something.
  private let broken = AsyncStream<Never>.makeStream()

  /// Makes a journal that knows what earlier runs did.
  init(history: ReplayHistory) {
    var contents = Contents()
    for sighting in history.sightings {
      contents.run.saw(contents.label(sighting.session).0, line: sighting.line)
    }
    for destruction in history.destructions {
      contents.run.destroyed(
        contents.label(destruction.session).0, before: destruction.line, state: destruction.state)
    }
    self.contents = Guarded(contents)
  }

  /// What has been counted so far.
  var counts: ReplayCounts { contents.withLock { $0.counts } }

  // MARK: - From the scenes

  /// Notes a connection, and the state that came back with it; gives the session's label.
  func connected(
    _ session: SessionIdentifier, restored: ReplayStateSummary?
  ) -> ReplayRun.Label {
    contents.withLock { contents in
      let (label, isNew) = contents.label(session)
      if let restored { contents.run.restored(label, state: restored) }
      contents.counts.connections += 1
      contents.counts.sessions += isNew ? 1 : 0
      contents.counts.restorations += restored == nil ? 0 : 1
      contents.leaving.remove(session)
      contents.connected.use(session, at: 0)
      contents.counts.connectedPeak = max(
        contents.counts.connectedPeak, contents.connected.count + contents.leaving.count)
      return label
    }
  }

  func saw(_ session: SessionIdentifier, _ label: ReplayRun.Label, line: Int, at time: Int64) {
    contents.withLock { contents in
      contents.run.saw(label, line: line)
      contents.counts.requests += 1
      if contents.connected.contains(session) { contents.connected.use(session, at: time) }
      if contents.foreground.contains(session) { contents.foreground.use(session, at: time) }
    }
  }

  func becameActive(_ session: SessionIdentifier, at time: Int64) {
    contents.withLock { $0.foreground.use(session, at: time) }
  }

  func enteredBackground(_ session: SessionIdentifier) {
    contents.withLock { contents in
      contents.foreground.remove(session)
      contents.counts.backgroundEntries += 1
    }
  }

  func disconnected(_ session: SessionIdentifier) {
    contents.withLock { contents in
      contents.connected.remove(session)
      contents.leaving.remove(session)
      contents.foreground.remove(session)
    }
  }

  // MARK: - From the driver

  /// Changes the counts.
  func count(_ change: (inout ReplayCounts) -> Void) {
    contents.withLock { change(&$0.counts) }
  }

  func destroyed(
    _ session: SessionIdentifier, before line: Int, state: ReplayStateSummary?
  ) {
    contents.withLock { contents in
      contents.run.destroyed(contents.label(session).0, before: line, state: state)
      contents.counts.destroyed += 1
    }
  }

  /// Takes a session whose scene has been idle in the foreground for longer than it may.
  func takeIdle(at time: Int64, limit: Int64) -> SessionIdentifier? {
    contents.withLock { contents in
      guard let oldest = contents.foreground.oldest else { return nil }
      let (end, isOverflowing) = oldest.time.addingReportingOverflow(limit)
      guard !isOverflowing, end < time else { return nil }
      contents.foreground.remove(oldest.element)
      return oldest.element
    }
  }

  /// Takes the session whose scene was not used for the longest time, if too many are connected.
  func takeVictim(limit: Int) -> SessionIdentifier? {
    contents.withLock { contents in
      guard contents.connected.count > limit, let oldest = contents.connected.oldest else {
        return nil
      }
      contents.connected.remove(oldest.element)
      contents.leaving.insert(oldest.element)
      return oldest.element
    }
  }

  /// Takes note that a session keeps its scene: it was used at the same moment.
  func keep(_ session: SessionIdentifier) {
    contents.withLock { contents in
      if contents.leaving.remove(session) != nil { contents.connected.use(session, at: 0) }
    }
  }

  /// Ends the run, since what was delivered cannot be kept; the first reason counts.
  func breakOff(line: Int, _ error: SceneError) {
    contents.withLock { contents in
      contents.failure =
        contents.failure
        ?? FileError(.notKept, "line \(line): expected a store that keeps it: \(error)")
    }
    broken.continuation.finish()
  }

  /// Why the run was broken off, or nil.
  var failure: FileError? { contents.withLock { $0.failure } }

  /// Returns when the run is broken off, or the task cancelled.
  func waitForFailure() async {
    for await _ in broken.stream {}
  }

  /// Adds the final states and gives the whole record.
  func finish(_ stored: ReplayContents) -> (run: ReplayRun, counts: ReplayCounts) {
    contents.withLock { contents in
      let endings = stored.endings
      for (session, state) in endings {
        contents.run.ended(contents.label(session).0, state: state.summary)
      }
      contents.counts.openSessions = endings.count
      return (contents.run, contents.counts)
    }
  }
}

/// Keeps elements in the order of their last use; every operation takes O(1) on the average.
///
/// The driver needs it three times: for the windows of a user, for the connected sessions, and
/// for those that have been idle too long.
public struct RecencyList<Element: Hashable & Sendable>: Sendable {
  private struct Use: Sendable {
    let element: Element
    let time: Int64
    let number: Int
  }

  /// The number of each element's last use.
  private var numbers: [Element: Int] = [:]
  /// Uses in their order; the first one is the last use of an element that is in the list.
  private var uses: [Use] = []
  /// Where the uses begin that still count.
  private var start = 0
  private var lastNumber = 0

  /// Makes an empty list.
  public init() {}

  /// The number of elements.
  public var count: Int { numbers.count }

  /// The element that was not used for the longest time, and the time of its last use.
  public var oldest: (element: Element, time: Int64)? {
    start == uses.count ? nil : (uses[start].element, uses[start].time)
  }

  /// All elements, in no order.
  public var elements: some Sequence<Element> { numbers.keys }

  /// Says whether the element is in the list.
  public func contains(_ element: Element) -> Bool { numbers[element] != nil }

  /// Makes an element the most recently used one, and adds it if it is not in the list.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - time: The time of the use, which the list keeps but does not compare.
  public mutating func use(_ element: Element, at time: Int64) {
    lastNumber += 1
    numbers[element] = lastNumber
    uses.append(Use(element: element, time: time, number: lastNumber))
    forget()
  }

  /// Takes an element out.
  ///
  /// - Returns: Whether it was in the list.
  @discardableResult
  public mutating func remove(_ element: Element) -> Bool {
    guard numbers.removeValue(forKey: element) != nil else { return false }
    forget()
    return true
  }

  /// Passes over uses that count no longer, and drops them once they are most of all.
  private mutating func forget() {
    while start < uses.count, numbers[uses[start].element] != uses[start].number { start += 1 }
    guard uses.count > 2 * numbers.count + 64 else { return }
    uses = uses[start...].filter { numbers[$0.element] == $0.number }
    start = 0
  }
}
