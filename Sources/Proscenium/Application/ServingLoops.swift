// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What an application does by itself while it runs: each function is a loop that waits until
/// something is due, and ends when it is cancelled or the application does.
struct ServingLoops: Sendable {
  let core: ApplicationCore

  /// Reads the saved states that shards wait for.
  func states() async {
    await core.states.serve { question, state in
      let slot = Int32(question.handle.slot(core.directory.shardBits))
      let answer = StateAnswer(
        session: question.session, number: question.number, state: state)
      core.directory.mailbox(question.handle).post(ShardItem(slot: slot, work: .state(answer)))
    }
  }

  /// Ends extended restorations whose time is over.
  func deadlines() async {
    while await core.deadlines.waitForDue() {
      core.postDeadlines()
    }
  }

  /// Ends the lines of clients whenever the sessions may not be served any more.
  func pauses(_ permit: ServingPermit) async {
    while let time = await permit.timeLeft() {
      // It can be shortened.
      let next = min(time, .seconds(1))
      guard (try? await core.settings.clock.sleep(for: next)) != nil else { return }
      if !permit.isValid { ClientMoves(core: core).interrupt() }
    }
  }

  /// Brings wakes to their sessions as they become due.
  func wakes() async {
    await core.launched()
    while await core.wakes.waitForDue() {
      if core.postWakes() { continue }
      try? await core.settings.clock.sleep(for: ApplicationCore.wakePause)
    }
  }

  /// Ends sessions that no one uses.
  func reviews(_ expiry: SessionExpiry) async {
    while await expiry.waitForDue() {
      SessionReviews(core: core).post()
    }
  }

  /// Gives turns to those who wait until the settings let them begin; until it is cancelled.
  func reconnections() async {
    for await _ in core.reconnectionBell.stream {
      while let pause = core.gate.withLock({ $0.reconnections.pause(at: core.writer.now) }) {
        guard (try? await core.settings.clock.sleep(for: pause)) != nil else { return }
        core.giveTurns()
      }
    }
  }

  /// Looks after memory and idle scenes while a policy wants it.
  func pressure() async {
    while await core.pressure.waitForLook() {
      core.sharedPressure.look()
    }
  }

  /// Reports callbacks that run longer than they may.
  func callbacks(_ budget: CallbackBudget) async {
    while await budget.waitForLook() {
      for slow in budget.takeOverdue() { core.events.report(slow) }
    }
  }
}
