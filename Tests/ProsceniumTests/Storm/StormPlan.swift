// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Foundation
import Testing

@testable import Proscenium

/// What one storm is like.
struct StormPlan: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  enum Configuration: String, Sendable, CaseIterable {
    /// No delegate is asked: it is the manifest's configuration.
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
  /// How many scenes a policy leaves connected; nil without one.
  var sceneLimit: Int?
  /// Whether the policy takes scenes in the foreground too.
  var takesForeground = false
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
  ///
  /// Every other one has a policy of disconnection.
  static let all: [StormPlan] = {
    var plans: [StormPlan] = []
    for (first, capacity) in [1, 2, 3].enumerated() {
      for (second, groups) in [1, 8, 1_000].enumerated() {
        for (third, shards) in [1, 2, 64].enumerated() {
          let configuration = Configuration.allCases[(first + second + third) % 3]
          plans.append(
            StormPlan(
              capacity: capacity, groups: groups, shards: shards, configuration: configuration,
              sceneLimit: plans.count.isMultiple(of: 2) ? nil : 30,
              takesForeground: plans.count.isMultiple(of: 3)))
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
      + (sceneLimit.map { "at most \($0) scenes\(takesForeground ? " of all" : ""), " } ?? "")
      + "\(requests) requests, seed \(seed)"
  }

  var testDescription: String { description }

  /// The policy by which scenes are disconnected in addition to the requests.
  var policy: DisconnectionPolicy? {
    sceneLimit.map { limit in
      var policy = DisconnectionPolicy()
      policy.sceneLimit = limit
      policy.takesForeground = takesForeground
      policy.seed = seed
      return policy
    }
  }

  // MARK: - What depends on the number of a session

  /// Whether the application delegate returns a configuration of a wrong role.
  func isMisconfigured(_ session: Int) -> Bool {
    configuration != .manifest && session % 4 == 2
  }
}
