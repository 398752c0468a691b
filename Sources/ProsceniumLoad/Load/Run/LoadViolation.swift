// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a load test saw that must not be.
struct LoadViolation: Hashable, Sendable {
  /// Which promise was broken.
  enum Kind: Int, Hashable, Sendable, CaseIterable {
    case dropped, doubled, reordered, foreign, forgotten, twoScenes, discardedTwice, notReported
    case differs, differsOnDisk, keptScenes, keptMemory, tookMemory

    /// What happened, as the end of a sentence that begins with a number.
    var text: String {
      switch self {
      case .dropped: "accepted events were not delivered"
      case .doubled: "events were delivered twice"
      case .reordered: "events were delivered out of their order"
      case .foreign: "events were delivered that nobody sent"
      case .forgotten: "scenes came back with an older state than they were left with"
      case .twoScenes: "sessions had two scenes at once"
      case .discardedTwice: "discards were reported twice"
      case .notReported: "discards were not reported"
      case .differs: "sessions remember other events than were sent"
      case .differsOnDisk: "sessions remember other events after the next launch"
      case .keptScenes: "scenes over the limit stayed connected"
      case .keptMemory: "bytes of scenes that went were kept"
      case .tookMemory: "bytes over 16 KiB a session were taken when all came back"
      }
    }
  }

  let kind: Kind
  let session: SessionIdentifier?
  /// The number of the event, if it is about one.
  var number: UInt32?
  /// In nanoseconds since the beginning of the run.
  let time: UInt64

  /// Which, and where.
  var place: String {
    let session = session.map { "session \($0)" } ?? "no session"
    let event = number.map { ", event \($0)" } ?? ""
    return "\(session)\(event), \(NumberText.fixed(Double(time) / 1e9, places: 3)) s"
  }
}

/// What a load test saw that must not be: how often, and the first of each kind.
struct LoadViolations: Sendable {
  private var counts = [Int](repeating: 0, count: LoadViolation.Kind.allCases.count)
  private var firsts: [LoadViolation] = []

  subscript(_ kind: LoadViolation.Kind) -> Int { counts[kind.rawValue] }

  var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

  mutating func add(_ violation: LoadViolation, count: Int = 1) {
    if counts[violation.kind.rawValue] == 0 { firsts.append(violation) }
    counts[violation.kind.rawValue] += count
  }

  /// Takes back what was taken for a violation of another kind at first.
  mutating func takeBack(_ kind: LoadViolation.Kind) {
    counts[kind.rawValue] -= 1
  }

  /// A sentence for each kind.
  var sentences: [String] {
    LoadViolation.Kind.allCases.compactMap { kind in
      guard self[kind] > 0 else { return nil }
      let first = firsts.first { $0.kind == kind }.map { ", the first of them: \($0.place)" } ?? ""
      return "\(self[kind]) \(kind.text)\(first)"
    }
  }
}
