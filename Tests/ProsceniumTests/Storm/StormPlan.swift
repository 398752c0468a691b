// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Proscenium

/// What one storm is like.
struct StormPlan: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  enum Configuration: String, Sendable, CaseIterable {
    /// Nobody is asked: the manifest's configuration it is.
    case manifest
    /// A delegate answers at once, for some sessions with a wrong role.
    case delegate
    /// The same, but while it thinks about the answer many other requests are admitted.
    case lateDelegate
  }

  var capacity: Int
  var groups: Int
  var shards: Int
  var configuration: Configuration
  var requests = Self.requests
  var seed = Self.seed

  /// How many requests a storm makes: a few in the ordinary run, a million in the full one.
  static let requests = number("PROSCENIUM_STORM_REQUESTS") ?? 3_000

  /// What fixes the requests; how they interleave is the machine's choice.
  static let seed = UInt64(number("PROSCENIUM_STORM_SEED") ?? 1)

  static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// All combinations of capacities, groups and shards; the ways to configure go round, so that
  /// each meets each value of the others.
  static let all: [StormPlan] = {
    var plans: [StormPlan] = []
    for (first, capacity) in [1, 2, 3].enumerated() {
      for (second, groups) in [1, 8, 1_000].enumerated() {
        for (third, shards) in [1, 2, 64].enumerated() {
          let configuration = Configuration.allCases[(first + second + third) % 3]
          plans.append(
            StormPlan(
              capacity: capacity, groups: groups, shards: shards, configuration: configuration))
        }
      }
    }
    return plans
  }()

  static let callers = 8

  /// Requests name one of so many newest sessions: a few in each group, open or not.
  var window: Int { max(40, groups * 4) }

  var description: String {
    "capacity \(capacity), \(groups) groups, \(shards) shards, \(configuration.rawValue), "
      + "\(requests) requests, seed \(seed)"
  }

  var testDescription: String { description }

  // MARK: - What depends on the number of a session

  /// Whether the application delegate returns a configuration of a wrong role.
  func isMisconfigured(_ session: Int) -> Bool {
    configuration != .manifest && session % 4 == 2
  }

  /// Whether the scene's delegate marks its state as changed when it connects.
  static func needsCapture(_ session: Int) -> Bool { session % 4 == 1 }

  /// Whether the scene's delegate returns no state.
  static func capturesNothing(_ session: Int) -> Bool { session % 5 == 0 }
}

extension SessionIdentifier {
  /// The number of a counted identifier.
  var number: Int { Int(truncatingIfNeeded: low & 0xFFFF_FFFF_FFFF) }

  static func numbered(_ number: Int) -> SessionIdentifier {
    SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
  }
}

extension SceneGroup {
  /// Group 0 is the default group, which has no name.
  static func numbered(_ number: Int) -> SceneGroup? {
    number == 0 ? nil : SceneGroup(rawValue: "\(number)")
  }
}

extension Optional<SceneGroup> {
  var number: Int { self.flatMap { Int($0.rawValue) } ?? 0 }
}

extension UserActivity {
  /// A storm's activities carry a number, not 0; odd ones ask for the requesting scene's group.
  static func numbered(_ number: Int) -> UserActivity { UserActivity("\(number)") }

  var number: Int { Int(activityType) ?? -1 }
}
