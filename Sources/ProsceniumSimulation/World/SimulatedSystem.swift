// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// The system: takes memory, moves the clock, locks and unlocks, and looks at everything.
struct SimulatedSystem {
  /// What the system does; each option says how often.
  private static let actions: [SimulationOption] = [
    .pressure, .home, .lock, .fulfil, .census, .jumps,
  ]

  private let world: SimulatedWorld
  private let application: Application
  private let store: SimulatedSessionStore
  private var random: SplitMix64
  private let actions: [SimulationOption]

  init(
    _ world: SimulatedWorld, _ application: Application, _ store: SimulatedSessionStore, life: Int
  ) {
    self.world = world
    self.application = application
    self.store = store
    random = world.generator(500_000 + life)
    actions = Self.actions.flatMap { Array(repeating: $0, count: min(world.options[$0], 2)) }
  }

  mutating func run() async {
    while !Task.isCancelled, !application.isOver {
      do throws(SceneError) {
        letTimePass()
        if world.isClosing || actions.isEmpty {
          // Who waits for a refresh waits for the host.
          try await application.host.perform(.fulfilRefreshes)
        } else {
          try await act(actions[random.number(below: actions.count)])
        }
      } catch {
        world.note(error)
      }
      try? await world.executor.clock.sleep(for: .microseconds(random.number(below: 20_000)))
    }
  }

  /// Lets time pass in which sessions end that no one uses.
  private mutating func letTimePass() {
    let expiry = world.options[.expiry]
    guard expiry > 0, !world.isClosing, random.number(below: 4) == 0 else { return }
    world.note(.clockJump)
    world.executor.clock.advance(by: .milliseconds(random.number(below: expiry * 700)))
  }

  private mutating func act(_ action: SimulationOption) async throws(SceneError) {
    switch action {
    case .pressure:
      world.note(.pressure)
      try await application.host.relievePressure(count: 1 + random.number(below: 4))
    case .home:
      world.note(.home)
      try await application.host.perform(.backgroundAll)
    case .lock:
      guard world.isLocked else { return }
      world.note(.unlocked)
      world.hasKey = true
      store.setKey(isAvailable: true)
      await application.host.unlock()
      world.isLocked = false
    case .fulfil: try await application.host.perform(.fulfilRefreshes)
    case .census: takeCensus()
    default:
      world.note(.clockJump)
      if random.number(below: 2) == 0 {
        world.executor.clock.advance(by: .seconds(random.number(below: 100)))
      } else {
        world.setCalendar(by: random.number(below: 200) - 100)
      }
    }
  }

  /// Whatever is going on, no session is shown that has ended, and no scene without its session.
  private func takeCensus() {
    let open = application.openSessions.map(\.id.number)
    let connected = application.connectedScenes.map(\.persistentIdentifier.number)
    let denied =
      open.filter { application.session(.numbered($0)) == nil }
      + connected.filter { application.scene(for: .numbered($0)) == nil }
    world.tell { model in
      for number in open where model.sessions[number].isDiscarded || model.sessions[number].isGone {
        model.find("session \(number) is among the open ones, and was discarded")
      }
      if Set(open).count != open.count { model.find("a session is open twice: \(open.sorted())") }
      let isolated = Set(connected).subtracting(open)
      if !isolated.isEmpty { model.find("scenes without sessions: \(isolated.sorted())") }
      if !denied.isEmpty { model.find("look-ups deny what is there: \(denied.sorted())") }
    }
  }
}
