// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// Lets one life follow the other, and ends each when its steps are over.
final class SimulatedStage: Sendable {
  private struct State: Sendable {
    var life: SimulatedLife?
    /// Whether the power is lost then, in the middle of things, instead of an end in order.
    var isLost = false
    /// After which step the life ends.
    var end = Int.max
    /// After which step another process takes the store over.
    var takeover = Int.max
  }

  private let world: SimulatedWorld
  private let steps: Int
  private let state = Guarded(State())

  init(_ world: SimulatedWorld, steps: Int) {
    self.world = world
    self.steps = steps
  }

  /// Plays the lives, one after the other.
  func play() async {
    var random = world.generator(2)
    await refuseWithoutManifest(&random)
    var store = SimulatedSessionStore(
      seed: random.next(), clock: world.executor.clock, faults: faults)
    let lives = world.options[.lives]
    for number in 0..<lives {
      let begin = world.executor.steps
      let share = max(steps - begin, 0) / (lives - number)
      let isLost = random.number(below: 100) < world.options[.losses]
      let isTakenOver = isLost && random.number(below: 100) < world.options[.takeovers]
      let takeover = begin + random.number(below: share + 1)
      let life = SimulatedLife(world, store, number: number)
      state.withLock { state in
        state = State(life: life, isLost: isLost, end: begin + share)
        if isTakenOver { state.takeover = takeover }
      }
      let before = store.counts
      store = await life.live()
      state.withLock { $0 = State() }
      cover(before, store.counts)
      // What passes now does not count for sessions that no one uses.
      world.executor.clock.advance(
        by: .milliseconds(random.number(below: world.options[.downtime] * 1_000 + 1)))
    }
  }

  /// Counts what the disk did in a life.
  private func cover(
    _ before: SimulatedSessionStore.Counts, _ after: SimulatedSessionStore.Counts
  ) {
    let full = after.fullRefusals - before.fullRefusals
    let failed = after.refusals - before.refusals - full
    let slow = world.options[.commitTime] > 0 ? after.commits - before.commits : 0
    let isSlowLoad = world.options[.loadTime] > 0
    world.tell { model in
      model.coverage.add(.fault, SimulationFault.fullDisk.name, full)
      model.coverage.add(.fault, SimulationFault.failedCommit.name, failed)
      model.coverage.add(.fault, SimulationFault.slowDisk.name, slow)
      model.coverage.add(.fault, SimulationFault.slowLoad.name, isSlowLoad ? 1 : 0)
    }
  }

  /// An application without scenes does not run; what the program is told counts.
  private func refuseWithoutManifest(_ random: inout SplitMix64) async {
    guard random.number(below: 8) == 0 else { return }
    var settings = ApplicationSettings()
    settings.taskExecutor = world.executor
    settings.clock = world.executor.clock
    let application = Application(manifest: [], settings: settings)
    do {
      try await application.run()
      world.tell { $0.find("an application without scenes runs") }
    } catch let error as SceneError {
      world.note(error)
    } catch {
      world.tell { $0.find("an application without scenes ended with \(error)") }
    }
  }

  private var faults: SimulatedSessionStore.Faults {
    var faults = SimulatedSessionStore.Faults()
    faults.commitTime = .zero ... .microseconds(world.options[.commitTime])
    faults.loadTime = .zero ... .microseconds(world.options[.loadTime])
    faults.readTime = .zero ... .microseconds(world.options[.readTime])
    faults.unreadPerThousand = world.options[.unread]
    faults.partialPerThousand = world.options[.partial]
    faults.fullPerThousand = world.options[.full]
    faults.failedPerThousand = world.options[.failed]
    return faults
  }

  /// Looks at the application between two steps, and ends its life when it is time.
  func look(after step: Int) {
    world.tell { model in
      model.checkReports()
      model.begin(step: step + 1)
    }
    let state = state.withLock { $0 }
    guard let life = state.life else { return }
    life.checkBounds()
    if step == state.takeover { life.takeOver() }
    guard step == state.end else { return }
    if state.isLost { life.cut() } else { world.isClosing = true }
  }
}
