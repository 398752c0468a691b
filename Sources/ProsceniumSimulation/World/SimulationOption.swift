// SPDX-License-Identifier: Apache-2.0

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

  /// What is drawn from: each of the values as often as it is listed.
  var values: [Int] {
    switch self {
    case .shards: [1, 1, 2, 4, 8]
    case .capacity: [0, 0, 1, 1, 2, 3]
    case .groups: [1, 1, 2, 4]
    case .configuration: [0, 0, 1, 2]
    case .singleScene: Self.seldom
    case .quota: [0, 0, 0, 0, 3, 10]
    case .eventLimit, .requestLimit: [64, 64, 1, 4, 16]
    case .durability: [0, 0, 1, 2, 10, 50]
    case .launch: [0, 0, 0, 1, 2]
    case .dance, .manualRefresh: [0, 0, 0, 1]
    case .variants: [0, 0, 1, 2]
    case .restorationLimit: [20, 100, 1_000]
    case .sceneLimit: [0, 0, 1, 3, 10]
    case .takesForeground: [0, 0, 1]
    case .idleTime: [0, 0, 0, 5, 50]
    case .keeping: [0, 0, 0, 200]
    case .commitTime, .loadTime, .readTime: [0, 100, 1_000, 10_000, 50_000]
    case .full, .failed: [0, 0, 0, 20, 100, 300]
    case .damage: [0, 0, 0, 0, 100]
    case .lives: [1, 2, 2, 3, 4, 5]
    case .losses: [0, 30, 70, 100]
    case .takeovers: [0, 0, 0, 20]
    case .locked: [0, 0, 0, 50]
    case .downDiscards: [0, 0, 1, 2]
    case .extensionCrashes: Self.seldom
    case .extending: [0, 0, 0, 100, 400]
    case .completing: [0, 50, 90, 100]
    case .hog: [0, 0, 10, 100]
    case .budget: [0, 0, 1, 100, 1_000]
    case .requesting: [0, 20, 80, 80]
    case .oversize: [0, 0, 0, 20]
    case .effects: [0, 0, 50, 300]
    case .ending: [0, 0, 0, 100]
    case .clients: [1, 2, 3, 4]
    case .window: [2, 6, 12, 40]
    case .awaited: [0, 30, 60, 100]
    case .duplicated, .delayed: [0, 0, 0, 10]
    case .jumps: [0, 0, 10]
    case .pausing: [0, 10, 50]
    case .open: [1, 2, 4]
    case .activate: [0, 3, 6]
    case .send, .durable, .call: [0, 2, 5]
    case .wake: [0, 0, 1, 3]
    case .reconnections: [0, 0, 1, 4]
    case .reconnectionRate: [0, 0, 0, 100, 1_000]
    case .gathering: [0, 0, 1, 10, 100]
    case .unread: [0, 0, 0, 20, 100]
    case .partial: [0, 0, 300]
    case .tooLarge, .longTarget, .dropState, .lock, .home: [0, 0, 0, 1]
    default: [0, 1, 2]
    }
  }

  private static let seldom = [Int](repeating: 0, count: 15) + [1]

  /// The value with which the least happens.
  var plain: Int {
    switch self {
    case .eventLimit, .requestLimit: 64
    case .restorationLimit: 1_000
    case .window: 2
    case .shards, .groups, .lives, .clients, .open: 1
    case .completing: 100
    default: 0
    }
  }

  /// The values that can be set.
  package var range: ClosedRange<Int> {
    switch self {
    case .shards: 1...256
    case .groups: 1...100
    case .clients: 1...SimulationModel.clientLimit
    case .lives: 1...100
    case .window, .eventLimit, .requestLimit, .restorationLimit: 1...1_000_000
    case .capacity, .quota: 0...1_000
    case .configuration, .launch, .variants: 0...2
    case .singleScene, .dance, .manualRefresh, .extensionCrashes, .takesForeground: 0...1
    case .full, .failed, .damage, .extending, .hog, .requesting, .oversize, .effects, .ending,
      .keeping, .unread, .partial:
      0...1_000
    case .losses, .takeovers, .locked, .completing, .awaited, .duplicated, .delayed, .jumps,
      .pausing:
      0...100
    default: 0...1_000_000
    }
  }

  /// The name, as it is set.
  package var name: String { "\(self)" }

  /// What the value means, for people.
  package var meaning: String {
    switch self {
    case .shards: "shards"
    case .capacity: "scenes in the foreground of a group, 0 for no limit"
    case .groups: "scene groups"
    case .configuration:
      "0 the manifest's, 1 a delegate's, 2 a delegate that errs for some sessions"
    case .singleScene: "1 if there is one session at most"
    case .quota: "open sessions that the host allows, 0 for no limit"
    case .eventLimit: "messages that a shard holds"
    case .requestLimit: "requests that may be unfinished"
    case .reconnections: "sessions that may be connected again at once, 0 for many"
    case .reconnectionRate: "sessions a second that may be connected again, 0 for many"
    case .gathering: "ms after a commit in which changes gather that no caller awaits"
    case .durability: "0 at the disconnect, 1 at every event, else within so many ms"
    case .launch: "what a launch connects: 0 nothing, 1 the last session, 2 all of them"
    case .dance: "1 if refreshes go through UIKit's snapshot pass"
    case .manualRefresh: "1 if the host fulfils refreshes"
    case .variants: "variants of snapshots"
    case .restorationLimit: "ms that a restoration may be extended"
    case .sceneLimit: "scenes that a policy leaves connected, 0 for all"
    case .takesForeground: "1 if the policy takes scenes in the foreground too"
    case .idleTime: "ms after which the policy takes an unused scene, 0 for never"
    case .keeping: "of 1,000 connections, with a scene that wants to stay connected"
    case .commitTime: "µs that a commit takes at most"
    case .loadTime: "µs that a load takes at most"
    case .readTime: "µs that a batch of reads takes at most"
    case .unread: "of 1,000 reads of a saved state, failed"
    case .partial: "of 1,000 batches of reads, answered in part"
    case .full: "of 1,000 commits, refused by a full disk"
    case .failed: "of 1,000 commits, failed"
    case .damage: "of 1,000 saved states, damaged at a relaunch"
    case .lives: "processes, one after the other"
    case .losses: "of 100 lives, ended by a loss of power"
    case .takeovers: "of 100 losses, preceded by another process that takes the store over"
    case .locked: "of 100 launches, with protected data locked"
    case .downDiscards: "sessions that are discarded between two lives"
    case .extensionCrashes: "1 if the program restores state of its own when its power is lost"
    case .extending: "of 1,000 connections, with an extended restoration"
    case .completing: "of 100 extended restorations, completed at some time"
    case .hog: "of 1,000 callbacks, taking long"
    case .budget: "ms that a callback may take without being reported, 0 for no limit"
    case .requesting: "of 1,000 callbacks, making a request"
    case .oversize: "of 1,000 captures, too large to be kept"
    case .effects: "of 1,000 messages, with an effect that waits until it is durable"
    case .ending: "of 1,000 connections, of a session that ends with the disconnect"
    case .clients: "clients"
    case .window: "newest sessions that requests name"
    case .awaited: "of 100 requests, awaited"
    case .duplicated: "of 100 requests, made twice"
    case .delayed: "of 100 requests, made later"
    case .jumps: "of 100 actions of the system, a jump of the clock"
    case .pausing: "of 100 requests, followed by a pause"
    case .pressure, .home, .lock, .fulfil, .census: "how often the system does it"
    default: "how often a client does it"
    }
  }
}
