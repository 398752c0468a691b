// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What simulated worlds have reached, and how often.
package struct SimulationCoverage: Sendable, Equatable {
  /// What kind of thing is counted.
  package enum Kind: String, Sendable, CaseIterable {
    /// An edge of semantics#legal-transitions.
    case transition
    /// Something that was done to the application.
    case fault
    /// The code of an error that a program was told.
    case error
    /// A decision of admission.
    case decision
    /// What a client's line has met.
    case line
  }

  /// One thing that is counted.
  package struct Key: Sendable, Hashable, Comparable {
    /// Its kind.
    package let kind: Kind
    /// Its name among those of its kind.
    package let name: String

    /// Names a thing.
    package init(kind: Kind, name: String) {
      (self.kind, self.name) = (kind, name)
    }

    /// Kinds in the order of their declaration, then names.
    package static func < (left: Key, right: Key) -> Bool {
      left.kind == right.kind ? left.name < right.name : left.kind.rawValue < right.kind.rawValue
    }
  }

  private var counts: [Key: Int] = [:]

  /// Coverage of nothing.
  package init() {}

  /// How often something was reached.
  package subscript(kind: Kind, name: String) -> Int {
    counts[Key(kind: kind, name: name), default: 0]
  }

  /// Counts something.
  package mutating func add(_ kind: Kind, _ name: String, _ count: Int = 1) {
    counts[Key(kind: kind, name: name), default: 0] += count
  }

  /// What was reached.
  package var reached: Set<Key> { Set(counts.filter { $0.value > 0 }.keys) }

  /// Adds what another world has reached.
  package mutating func add(_ other: SimulationCoverage) {
    counts.merge(other.counts) { $0 + $1 }
  }

  /// Everything of a kind that can be reached, in the order in which it is shown.
  package static func names(_ kind: Kind) -> [String] {
    switch kind {
    case .transition:
      [
        "unattached > background", "background > inactive", "inactive > active",
        "active > inactive", "inactive > background", "background > inactive > background",
        "background > unattached", "inactive > unattached", "any > killed", "new > connected",
        "connected > archived", "archived > connected", "open > discarded",
        "discarded while not running",
      ]
    case .fault: SimulationFault.allCases.map(\.name)
    case .error:
      [
        "multipleScenesNotSupported", "sessionNotOpen", "connectionFailed", "quotaReached",
        "onlySession", "sceneLifecycleRequired", "restorationTimedOut", "notInBackground",
        "roleMismatch", "notRunning", "systemBusy", "limitExceeded", "unhandledCall",
        "stateUnreadable", "stateUnavailable", "notDurable", "lost",
      ]
    case .decision:
      DecisionRecord.Kind.allCases.map { "\($0)" }
    case .line:
      [
        "resumed", "broken", "duplicate", "deploy", "kill before acknowledgement", "expired",
        "wrong input",
      ]
        + OutputReset.allCases.map { "reset \($0.rawValue)" }
    }
  }

  /// What can be reached and was reached less often than a number.
  package func missing(below count: Int) -> [Key] {
    Kind.allCases.flatMap { kind in
      Self.names(kind).filter { self[kind, $0] < count }.map { Key(kind: kind, name: $0) }
    }
  }
}

/// What a simulated world does to an application.
package enum SimulationFault: String, Sendable, CaseIterable {
  /// What is done to the disk and to the process.
  case powerLoss, takeover, fullDisk, failedCommit, slowDisk, slowLoad, damage, locked, unlocked
  /// What the system does.
  case disconnect, discard, downDiscard, pressure, policyPressure, policyIdle, clockJump, relaunch
  case orderlyEnd, home
  /// What programs do wrong.
  case hog, endlessExtension, misconfiguration, oversizeState, tooLarge, duplicate, delay

  /// The name, for people.
  package var name: String { rawValue }
}
