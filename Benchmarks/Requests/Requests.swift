// SPDX-License-Identifier: Apache-2.0

import CFloors
import Measuring
import Proscenium

/// Questions to scenes, and the requests of a session's life.
@main
enum Requests {
  static func main() async {
    await SuiteProgram.run {
      for scenes in Scale.current.sizes {
        addCalls(scenes)
        // With a million these would take minutes, and grow no further.
        if scenes <= 100_000 { addLives(scenes) }
      }
      for callers in [8, 64] { addCycles("cycle", callers) }
      addCycles("cycle_kept", 64, limits, scenes: sceneLimit)
      addDurableCycles(callers: 64)
    }
  }

  /// A question to a scene whose answer is awaited, by eight callers.
  private static func addCalls(_ scenes: Int) {
    let scale = Scale.current
    Contest("call", ["callers": 8, "scenes": scenes]).add(to: "Requests") {
      let population = try await ScenePopulation(scenes) { CountingDelegate() }
      let contenders: [Contender] = [
        .runtime { try await population.measureCalls(callers: 8) },
        .floor { floor_ask(UInt32(scenes), 8, $0) },
      ]
      guard scenes == scale.rivalSize else { return contenders }
      return contenders + rivals("call", callers: 8, sessions: scenes)
    }
  }

  /// Each request of a life by itself, of all sessions before the next one.
  private static func addLives(_ scenes: Int) {
    Contest("requests", ["callers": 8, "scenes": scenes], takesTurns: false).add(to: "Requests") {
      try await SessionLives(scenes).contenders
    }
  }

  /// How many scenes may be connected, and objects of a rival in memory, where that is limited.
  private static let sceneLimit = 1_024

  /// The limits that rivals have as well if their sessions outlive their objects.
  private static var limits: ApplicationSettings {
    var policy = DisconnectionPolicy()
    policy.order = .leastRecentlyUsed
    policy.sceneLimit = sceneLimit
    var settings = ApplicationSettings()
    settings.disconnectionPolicy = policy
    settings.sessionQuota = 100_000
    return settings
  }

  /// A whole life: created, to the foreground, to the background, disconnected, connected again
  /// with its state, destroyed.
  private static func addCycles(
    _ path: String, _ callers: Int, _ settings: ApplicationSettings = .init(), scenes: Int = 1
  ) {
    Contest(path, ["callers": callers]).add(to: "Requests") {
      let census = DraftCensus()
      let application = try await RunningApplication(settings: settings) { DraftDelegate(census) }
      let runtime = Contender.runtime {
        try await census.checking(==) {
          try await Callers(callers).measure { _, _ in try await application.liveOnce() }
        }
      }
      return [runtime] + rivals(path, callers: callers, sessions: scenes)
    }
  }

  /// The same with a store on the disk; the state is durable before its scene is disconnected.
  private static func addDurableCycles(callers: Int) {
    Contest("cycle_durable", ["callers": callers]).add(to: "Requests") {
      let store = try TemporaryStore()
      let census = DraftCensus()
      let application = try await RunningApplication(store: store.store, keeping: store) {
        DraftDelegate(census)
      }
      let seconds = Scale.current.seconds * 2
      let runtime = Contender.runtime {
        try await census.checking(==) {
          try await Callers(callers, seconds: seconds).measure { _, _ in
            try await application.liveOnce(durably: true)
          }
        }
      }
      return [runtime]
        + Contender.rival(
          "erlang", path: "cycle_durable", seconds: seconds, workers: callers, files: store.folder)
    }
  }

  private static func rivals(_ path: String, callers: Int, sessions: Int = 1) -> [Contender] {
    ["erlang", "caf", "go", "tokio"].flatMap {
      Contender.rival($0, path: path, sessions: sessions, workers: callers)
    }
  }
}
