// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What was acknowledged in a crash test, and what is wrong with what a store holds afterwards.
package struct CrashLedger: Sendable {
  /// What is known of a session.
  private struct Session: Sendable {
    /// The last write that is durable for certain.
    var durable: Int
    /// The last write that may be; the next one may be on its way.
    var sent: Int
    /// The last write whose effect ran in this process.
    var effect = 0
    /// Whether its discard was begun.
    var isLeaving = false
    /// When its last activation was asked for, and was done, in the order of the reports.
    var asked: Int?
    var activated: Int?
    /// Whether the store has to have that activation in its place.
    var isOrdered = false
  }

  /// How many violations are told in words.
  package static let violationLimit = 20

  /// Acknowledged states.
  package private(set) var acknowledgements = 0
  /// Effects that waited for their state.
  package private(set) var effects = 0
  /// Discards that became durable.
  package private(set) var discards = 0
  /// Refused states.
  package private(set) var refusals = 0
  /// Acknowledged states that were looked for after a restart, one for each session.
  package private(set) var checks = 0
  /// Activations whose order was looked for after a restart.
  package private(set) var orders = 0
  /// How many violations there were.
  package private(set) var violationCount = 0
  /// The first of them, in words.
  package private(set) var violations: [String] = []

  private var sessions: [SessionIdentifier: Session] = [:]
  private var found: [SessionIdentifier: (sequence: Int, counter: UInt64)] = [:]
  private var reports = 0
  private var gone: Set<SessionIdentifier> = []

  /// Makes an empty ledger.
  package init() {}

  /// How many sessions there should be at least.
  package var sessionCount: Int { sessions.count }

  /// Forgets what was found by a process that ended before it was ready.
  package mutating func begin() {
    found = [:]
  }

  /// Takes a report.
  package mutating func note(_ report: CrashReport) {
    reports += 1
    switch report {
    case .found(let session, let sequence, let counter):
      if found.updateValue((sequence, counter), forKey: session) != nil {
        violate("session \(session) is there twice")
      }
    case .activating(let session):
      sessions[session]?.asked = reports
      sessions[session]?.isOrdered = false
    case .activated(let session): sessions[session]?.activated = reports
    case .ordered(let session): sessions[session]?.isOrdered = true
    case .ready: compare()
    case .durable(let session, let sequence):
      acknowledgements += 1
      acknowledge(session, sequence)
    case .effect(let session, let sequence): noteEffect(session, sequence)
    case .refused(let session, let sequence, _):
      refusals += 1
      sessions[session, default: Session(durable: 0, sent: 0)].sent = sequence
    case .leaving(let session): sessions[session]?.isLeaving = true
    case .gone(let session):
      discards += 1
      sessions[session] = nil
      gone.insert(session)
    case .wrong(let text): violate(text)
    }
  }

  /// Notes something that must not be.
  package mutating func violate(_ text: String) {
    violationCount += 1
    if violations.count < Self.violationLimit { violations.append(text) }
  }

  private mutating func acknowledge(_ session: SessionIdentifier, _ sequence: Int) {
    var known = sessions[session] ?? Session(durable: 0, sent: 0)
    known.durable = max(known.durable, sequence)
    known.sent = max(known.sent, sequence)
    sessions[session] = known
  }

  private mutating func noteEffect(_ session: SessionIdentifier, _ sequence: Int) {
    effects += 1
    // It may be told after the discard of its session.
    guard !gone.contains(session) else { return }
    acknowledge(session, sequence)
    guard let known = sessions[session] else { return }
    if sequence <= known.effect {
      violate(
        "session \(session): the effect of write \(sequence) ran after that of \(known.effect)")
    }
    sessions[session]?.effect = sequence
  }

  /// Compares what a store holds with what was acknowledged, and goes on from there.
  private mutating func compare() {
    for (session, known) in sessions {
      guard let sequence = found[session]?.sequence else {
        if known.isLeaving {
          gone.insert(session)
        } else if known.durable > 0 {
          violate("session \(session) vanished: write \(known.durable) was acknowledged")
        }
        continue
      }
      checks += 1
      if sequence < known.durable {
        violate(
          "session \(session) holds write \(sequence), but write \(known.durable) was acknowledged")
      } else if sequence > known.sent + 1 {
        violate(
          "session \(session) holds write \(sequence), but \(known.sent) was the last one sent")
      }
    }
    compareOrder()
    for (session, (sequence, _)) in found {
      if gone.contains(session) {
        violate("session \(session) is back: its discard was acknowledged")
      } else if sessions[session] == nil, sequence > 1 {
        violate("session \(session) holds write \(sequence), but no process reported it")
      }
    }
    sessions = found.mapValues { Session(durable: $0.sequence, sent: $0.sequence) }
    found = [:]
  }
  /// Compares the order in which a store has activations with that in which they were made, but for
  /// the last ones.
  private mutating func compareOrder() {
    var known: [(asked: Int, activated: Int, counter: UInt64, session: SessionIdentifier)] = []
    for (session, record) in sessions {
      guard record.isOrdered, let asked = record.asked, let activated = record.activated,
        let counter = found[session]?.counter
      else { continue }
      known.append((asked, activated, counter, session))
    }
    orders += known.count
    let done = known.sorted { $0.activated < $1.activated }
    var latest: UInt64 = 0
    var next = 0
    for one in known.sorted(by: { $0.asked < $1.asked }) {
      while next < done.count, done[next].activated < one.asked {
        latest = max(latest, done[next].counter)
        next += 1
      }
      if one.counter <= latest {
        violate("session \(one.session) was activated after one that the store has behind it")
      }
    }
  }
}
