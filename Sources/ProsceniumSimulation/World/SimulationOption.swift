// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPrimitives

/// One of the numbers that say what a simulated world is like.
///
/// Every one is drawn from the seed, so that each seed is another kind of world: most bugs need few
/// things together, and are hidden where everything happens at once.
package enum SimulationOption: Int, Sendable, CaseIterable {
  // The application.
  case shards, capacity, groups, configuration, singleScene, quota, eventLimit, requestLimit
  case durability, launch, dance, manualRefresh, variants, restorationLimit
  // The policy by which scenes are disconnected.
  case sceneLimit, takesForeground, idleTime, keeping
  // The disk.
  case commitTime, loadTime, full, failed, damage
  // Lives, and how they end.
  case lives, losses, takeovers, locked, downDiscards, extensionCrashes
  // Delegates.
  case extending, completing, hog, budget, requesting, oversize, effects, ending
  // Clients.
  case clients, window, awaited, duplicated, delayed, jumps, pausing
  case open, activate, background, interrupt, resume, disconnect, refresh, destroy, close
  case send, await, call, durable, deliver, drop, update, dropState, tooLarge, longTarget
  case wake
  case pressure, home, lock, fulfil, census
  // What was added since: an option here leaves the others of a seed as they were.
  case reconnections, gathering, reconnectionRate
  case readTime, unread, partial
  case input, breaking, frameLimit
  case expiry, downtime, identities

  /// What there is to know of an option.
  private struct Facts {
    let values: [Int]
    let meaning: String
    let range: ClosedRange<Int>
    let plain: Int

    init(
      _ values: [Int], _ meaning: String, _ range: ClosedRange<Int> = 0...1_000_000, plain: Int = 0
    ) {
      self.values = values
      self.meaning = meaning
      self.range = range
      self.plain = plain
    }
  }

  private static let seldom = [Int](repeating: 0, count: 15) + [1]

  private var facts: Facts {
    switch self {
    case .shards: Facts([1, 1, 2, 4, 8], "shards", 1...256, plain: 1)
    case .capacity:
      Facts([0, 0, 1, 1, 2, 3], "scenes in the foreground of a group, 0 for no limit", 0...1_000)
    case .groups: Facts([1, 1, 2, 4], "scene groups", 1...100, plain: 1)
    case .configuration:
      Facts(
        [0, 0, 1, 2], "0 the manifest's, 1 a delegate's, 2 a delegate that errs for some sessions",
        0...2)
    case .singleScene: Facts(Self.seldom, "1 if there is one session at most", 0...1)
    case .quota:
      Facts([0, 0, 0, 0, 3, 10], "open sessions that the host allows, 0 for no limit", 0...1_000)
    case .eventLimit:
      Facts([64, 64, 1, 4, 16], "messages that a shard holds", 1...1_000_000, plain: 64)
    case .requestLimit:
      Facts([64, 64, 1, 4, 16], "requests that may be unfinished", 1...1_000_000, plain: 64)
    case .durability:
      Facts([0, 1, 1, 2, 10, 50], "0 at the disconnect, 1 at every event, else within so many ms")
    case .launch:
      Facts(
        [0, 0, 0, 1, 2], "what a launch connects: 0 nothing, 1 the last session, 2 all of them",
        0...2)
    case .dance: Facts([0, 0, 0, 1], "1 if refreshes go through UIKit's snapshot pass", 0...1)
    case .manualRefresh: Facts([0, 0, 0, 1], "1 if the host fulfils refreshes", 0...1)
    case .variants: Facts([0, 0, 1, 2], "variants of snapshots", 0...2)
    case .restorationLimit:
      Facts([20, 100, 1_000], "ms that a restoration may be extended", 1...1_000_000, plain: 1_000)
    case .sceneLimit: Facts([0, 0, 1, 3, 10], "scenes that a policy leaves connected, 0 for all")
    case .takesForeground:
      Facts([0, 0, 1], "1 if the policy takes scenes in the foreground too", 0...1)
    case .idleTime:
      Facts([0, 0, 0, 5, 50], "ms after which the policy takes an unused scene, 0 for never")
    case .keeping:
      Facts(
        [0, 0, 0, 200], "of 1,000 connections, with a scene that wants to stay connected", 0...1_000
      )
    case .commitTime: Facts([0, 100, 1_000, 10_000, 50_000], "µs that a commit takes at most")
    case .loadTime: Facts([0, 100, 1_000, 10_000, 50_000], "µs that a load takes at most")
    case .full:
      Facts([0, 0, 0, 20, 100, 300], "of 1,000 commits, refused by a full disk", 0...1_000)
    case .failed: Facts([0, 0, 0, 20, 100, 300], "of 1,000 commits, failed", 0...1_000)
    case .damage:
      Facts([0, 0, 0, 0, 100], "of 1,000 saved states, damaged at a relaunch", 0...1_000)
    case .lives: Facts([1, 2, 2, 3, 4, 5], "processes, one after the other", 1...100, plain: 1)
    case .losses: Facts([0, 30, 70, 100], "of 100 lives, ended by a loss of power", 0...100)
    case .takeovers:
      Facts(
        [0, 0, 0, 20], "of 100 losses, preceded by another process that takes the store over",
        0...100)
    case .locked: Facts([0, 0, 0, 50], "of 100 launches, with protected data locked", 0...100)
    case .downDiscards: Facts([0, 0, 1, 2], "sessions that are discarded between two lives")
    case .extensionCrashes:
      Facts(Self.seldom, "1 if the program restores state of its own when its power is lost", 0...1)
    case .extending:
      Facts([0, 0, 0, 100, 400], "of 1,000 connections, with an extended restoration", 0...1_000)
    case .completing:
      Facts(
        [0, 50, 90, 100], "of 100 extended restorations, completed at some time", 0...100,
        plain: 100)
    case .hog: Facts([0, 0, 10, 100], "of 1,000 callbacks, taking long", 0...1_000)
    case .budget:
      Facts(
        [0, 0, 1, 100, 1_000], "ms that a callback may take without being reported, 0 for no limit")
    case .requesting: Facts([0, 20, 80, 80], "of 1,000 callbacks, making a request", 0...1_000)
    case .oversize: Facts([0, 0, 0, 20], "of 1,000 captures, too large to be kept", 0...1_000)
    case .effects:
      Facts(
        [0, 0, 50, 300], "of 1,000 messages, with an effect that waits until it is durable",
        0...1_000)
    case .ending:
      Facts(
        [0, 0, 0, 100], "of 1,000 connections, of a session that ends with the disconnect",
        0...1_000)
    case .clients: Facts([1, 2, 3, 4], "clients", 1...SimulationModel.clientLimit, plain: 1)
    case .window:
      Facts([2, 6, 12, 40], "newest sessions that requests name", 1...1_000_000, plain: 2)
    case .awaited: Facts([0, 30, 60, 100], "of 100 requests, awaited", 0...100)
    case .duplicated: Facts([0, 0, 0, 10], "of 100 requests, made twice", 0...100)
    case .delayed: Facts([0, 0, 0, 10], "of 100 requests, made later", 0...100)
    case .jumps: Facts([0, 0, 10], "of 100 actions of the system, a jump of the clock", 0...100)
    case .pausing: Facts([0, 10, 50], "of 100 requests, followed by a pause", 0...100)
    case .open: Facts([1, 2, 4], "how often a client does it", plain: 1)
    case .activate: Facts([0, 3, 6], "how often a client does it")
    case .send, .call, .durable: Facts([0, 2, 5], "how often a client does it")
    case .dropState, .tooLarge, .longTarget: Facts([0, 0, 0, 1], "how often a client does it")
    case .wake: Facts([0, 0, 1, 3], "how often a client does it")
    case .pressure, .fulfil, .census: Facts([0, 1, 2], "how often the system does it")
    case .home, .lock: Facts([0, 0, 0, 1], "how often the system does it")
    case .reconnections:
      Facts([0, 0, 1, 4], "sessions that may be connected again at once, 0 for many")
    case .gathering:
      Facts([0, 0, 1, 10, 100], "ms after a commit in which changes gather that no caller awaits")
    case .reconnectionRate:
      Facts([0, 0, 0, 100, 1_000], "sessions a second that may be connected again, 0 for many")
    case .readTime:
      Facts([0, 100, 1_000, 10_000, 50_000], "µs that a batch of reads takes at most")
    case .unread: Facts([0, 0, 0, 20, 100], "of 1,000 reads of a saved state, failed", 0...1_000)
    case .partial: Facts([0, 0, 300], "of 1,000 batches of reads, answered in part", 0...1_000)
    case .input: Facts([0, 4, 10, 20], "how often a client sends input over a line")
    case .breaking: Facts([0, 10, 40], "of 100 inputs, followed by a line that breaks", 0...100)
    case .frameLimit:
      Facts([1_024, 2, 8], "frames that are kept for a client", 1...65_536, plain: 1_024)
    case .expiry:
      Facts([0, 0, 1, 1, 3], "s after which a session ends that no one uses, 0 for never")
    case .downtime: Facts([0, 0, 1, 100], "s that pass between two lives at most")
    case .identities:
      Facts([0, 0, 0, 20], "of 100 lines, of a client that has become another one", 0...100)
    default: Facts([0, 1, 2], "how often a client does it")
    }
  }

  /// What is drawn from: each of the values as often as it is listed.
  var values: [Int] { facts.values }

  /// The value with which the least happens.
  var plain: Int { facts.plain }

  /// The values that can be set.
  package var range: ClosedRange<Int> { facts.range }

  /// The name, as it is set.
  package var name: String { "\(self)" }

  /// What the value means, for people.
  package var meaning: String { facts.meaning }
}

/// What a simulated world is like: every option with its value.
package struct SimulationOptions: Sendable, Equatable {
  private var values: [Int]

  /// The world in which the least happens.
  package static let plain = SimulationOptions(values: SimulationOption.allCases.map(\.plain))

  private init(values: [Int]) {
    self.values = values
  }

  /// Draws a world.
  package init(drawing random: inout SplitMix64) {
    values = SimulationOption.allCases.map { option in
      let values = option.values
      return values[random.number(below: values.count)]
    }
  }

  /// The value of an option.
  package subscript(option: SimulationOption) -> Int {
    get { values[option.rawValue] }
    set { values[option.rawValue] = newValue }
  }

  /// The options whose values are not the plain ones, in the order of their declaration.
  package var special: [(option: SimulationOption, value: Int)] {
    zip(SimulationOption.allCases, values).compactMap { option, value in
      value == option.plain ? nil : (option, value)
    }
  }
}

extension SimulationOptions: CustomStringConvertible {
  /// The values that are not the plain ones, as they can be set: `shards=4,clients=2`.
  package var description: String {
    special.map { "\($0.option.name)=\($0.value)" }.joined(separator: ",")
  }
}
