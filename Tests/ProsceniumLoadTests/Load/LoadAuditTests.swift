// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct LoadAuditTests {
  private static let session = SessionIdentifier(high: 1, low: 1)

  private let audit = LoadAudit(clock: ContinuousClock())

  /// Delivers events with numbers to one session, as its delegate does.
  private func deliver(_ numbers: [UInt32]) -> LoadViolations {
    audit.connect(Self.session, LoadHistory())
    var history = LoadHistory()
    for number in numbers {
      let event = LoadEvent(place: 0, generation: 0, number: number, time: 0)
      audit.judge(event, after: history.last, in: Self.session)
      history.append(number)
    }
    return audit.broken
  }

  @Test func `events in their order are as they should be`() {
    #expect(deliver([1, 2, 3, 4]).isEmpty)
  }

  @Test func `an event that is missing was dropped`() {
    let found = deliver([1, 2, 5, 6])
    #expect(found[.dropped] == 2 && found[.doubled] == 0 && found[.reordered] == 0)
    #expect(found.sentences.count == 1)
    #expect(found.sentences[0].contains("2 accepted events were not delivered"))
    #expect(found.sentences[0].contains("event 3"))
  }

  @Test func `an event that comes again was doubled`() {
    let found = deliver([1, 2, 2, 3])
    #expect(found[.doubled] == 1 && found[.dropped] == 0 && found[.reordered] == 0)
  }

  @Test func `an event that comes after the next one was not dropped, but late`() {
    let found = deliver([1, 3, 2, 4])
    #expect(found[.reordered] == 1 && found[.dropped] == 0 && found[.doubled] == 0)
  }

  @Test(arguments: LoadEventKind.allCases)
  func `an event that was reported as lost was not dropped`(kind: LoadEventKind) {
    _ = deliver([1])
    let lost = LoadEvent(place: 0, generation: 0, number: 2, time: 0)
    let loss: LifecycleEvent.Loss =
      kind == .message ? .message(lost.message) : .event(lost.routed(as: kind))
    audit.lose(loss, of: Self.session)
    var history = LoadHistory()
    history.append(1)
    let next = LoadEvent(place: 0, generation: 0, number: 4, time: 0)
    audit.judge(next, after: history.last, in: Self.session)
    // Of the two that are missing one was reported.
    #expect(audit.broken[.dropped] == 1)
    #expect(audit.broken.sentences[0].contains("event 3"))
  }

  @Test func `a scene that comes back with an older state has forgotten something`() {
    var history = LoadHistory()
    audit.connect(Self.session, history)
    history.append(1)
    audit.disconnect(Self.session, history)
    audit.connect(Self.session, LoadHistory())
    #expect(audit.broken[.forgotten] == 1)
    audit.disconnect(Self.session, history)
    audit.connect(Self.session, history)
    #expect(audit.broken[.forgotten] == 1)
  }

  @Test func `what waits for one scene is seen, whatever is taken for another one`() async {
    let (waiting, busy) = (Self.session, SessionIdentifier(high: 2, low: 2))
    let event = LoadEvent(place: 0, generation: 0, number: 1, time: 0)
    audit.hand(event, to: waiting)
    let missed = await withTaskGroup { group in
      // While one keeps handing something over, the other one takes it.
      group.addTask { [audit] in
        for _ in 0..<50_000 { audit.hand(event, to: busy) }
        return 0
      }
      group.addTask { [audit] in
        (0..<50_000).count { _ in
          _ = audit.takeHanded(to: busy)
          return !audit.hasHanded
        }
      }
      return await group.reduce(0, +)
    }
    #expect(missed == 0)
  }

  @Test func `a session with two scenes is found`() {
    audit.connect(Self.session, LoadHistory())
    #expect(audit.broken.isEmpty)
    audit.connect(Self.session, LoadHistory())
    #expect(audit.broken[.twoScenes] == 1)
  }

  @Test func `an answer to a notification waits for its scene`() {
    audit.connect(Self.session, LoadHistory())
    #expect(!audit.hasHanded)
    let event = LoadEvent(place: 0, generation: 0, number: 1, time: 0)
    audit.hand(event, to: Self.session)
    #expect(audit.hasHanded)
    #expect(audit.takeHanded(to: Self.session) == [event])
    #expect(!audit.hasHanded)
    #expect(audit.takeHanded(to: Self.session).isEmpty)
  }

  @Test func `a history tells every other order and every other number`() {
    func history(_ numbers: [UInt32]) -> LoadHistory {
      numbers.reduce(into: LoadHistory()) { $0.append($1) }
    }
    let right = history([1, 2, 3])
    for wrong in [[1, 3, 2], [1, 2], [1, 2, 3, 3], [2, 3], [1, 2, 4]] as [[UInt32]] {
      #expect(history(wrong) != right)
    }
    #expect(LoadHistory(text: right.text) == right)
    for text in ["", "1", "1.", ".1", "1.x", "1.2.3", "-1.2"] {
      #expect(LoadHistory(text: text) == nil, "\(text)")
    }
  }

  @Test(arguments: LoadEventKind.allCases)
  func `an event is read as it was sent, and nothing else is one`(kind: LoadEventKind) throws {
    let event = LoadEvent(place: 7, generation: 2, number: .max, time: 77)
    let routed = event.routed(as: kind)
    #expect(routed.targetContentIdentifier?.hasPrefix(LoadEvent.content(of: 7)) == true)
    let read =
      switch routed {
      case .url: LoadEvent(routed)
      case .activity(let activity): LoadEvent(activity)
      case .shortcut(let item): LoadEvent(item.userInfo)
      case .notification(let response): LoadEvent(text: response.identifier)
      default: nil as LoadEvent?
      }
    #expect(read == event)
    #expect(LoadEvent(event.message) == event)
    #expect(LoadEvent("text") == nil)
    #expect(LoadEvent(.url(OpenURLContext("load:1.2.3.4"))) == nil)
    for text in ["1.2.3", "1.2.3.4.5", "1.2.3.4.", "4294967296.2.3.4", ""] {
      #expect(LoadEvent(text: text) == nil, "\(text)")
    }
  }
}
