// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Proscenium
import ProsceniumPrimitives

/// Lets senders send until it is enough.
struct LoadDriver: Sendable {
  /// How often a sender that waits for each event says how far it is.
  private static let noted = 64
  /// How long after the end something is sent that was due before, in seconds.
  private static let grace = 0.1
  /// After how many events a sender looks at the clock again.
  private static let glance = 64

  let test: LoadTest
  let audit: LoadAudit
  let tenants: LoadTenants
  let target: any LoadTarget
  /// When the first event is due.
  let start: ContinuousClock.Instant
  /// Events that were accepted, as others see while they are sent.
  let progress: GuardedCell<Int>

  /// Sends until the end; returns the sender with what it has sent.
  func send(_ sender: LoadSender, until end: LoadScenario.End) async throws -> LoadSender {
    switch test.scenario.pace {
    case .open(let pace): try await send(sender, at: pace, until: end)
    case .closed: try await sendInTurn(sender, until: end)
    }
  }

  /// Sends what is due, in order of time: what is late stays due, and counts from when it was.
  ///
  /// What is later than the grace at the end is not sent any more.
  private func send(
    _ first: LoadSender, at pace: LoadPace, until end: LoadScenario.End
  ) async throws -> LoadSender {
    var sender = first
    // Nanoseconds of the audit's clock at the start.
    let origin = audit.now &- UInt64(max(seconds, 0) * 1e9)
    let share = Double(sender.count)
    let latest = Self.latest(end)
    while !isEnough(sender, end) {
      let now = seconds
      // Its events lie between those of the others.
      let all = pace.due(at: min(now, latest))
      let due = Int((all / share - sender.offset).rounded(.up)) - sender.drawn
      // Those at the end of the time are sent a little after it.
      if now >= latest, due <= 0 || now > latest + Self.grace { break }
      if isStopped() { break }
      for _ in 0..<min(max(due, 0), Self.glance) where !isEnough(sender, end) {
        let moment = pace.time(of: (Double(sender.drawn) + sender.offset) * share)
        try await sender.send(
          to: tenants, of: target, audit, dueAt: origin &+ UInt64(moment * 1e9),
          late: now - moment)
      }
      note(&sender)
      guard due <= 0 else { continue }
      let next = pace.time(of: (Double(sender.drawn) + sender.offset) * share)
      SenderThread.pause(seconds: next - now)
    }
    return sender
  }

  /// Sends an event when the one before is delivered.
  private func sendInTurn(
    _ first: LoadSender, until end: LoadScenario.End
  ) async throws -> LoadSender {
    var sender = first
    while !isOver(sender, end) {
      try await sender.sendAndWait(to: tenants, of: target, audit)
      if sender.drawn % Self.noted == 0 { note(&sender) }
    }
    note(&sender)
    return sender
  }

  /// Lets others see what was accepted.
  private func note(_ sender: inout LoadSender) {
    let count = sender.takeNew()
    if count > 0 { progress.withLock { $0 += count } }
  }

  private func isOver(_ sender: LoadSender, _ end: LoadScenario.End) -> Bool {
    seconds >= Self.latest(end) || isEnough(sender, end) || isStopped()
  }

  /// Whether nothing more is to be sent before the time is over; the audit is told.
  private func isStopped() -> Bool {
    if Task.isCancelled { return true }
    guard test.isInterrupted() else { return false }
    audit.stop()
    return true
  }

  private func isEnough(_ sender: LoadSender, _ end: LoadScenario.End) -> Bool {
    if case .events(let events) = end { sender.drawn >= events } else { false }
  }

  private static func latest(_ end: LoadScenario.End) -> Double {
    if case .seconds(let seconds) = end { seconds } else { .infinity }
  }

  private var seconds: Double { start.duration(to: test.clock.now) / .seconds(1) }
}

/// A thread on which one sender runs, apart from the pool that runs the shards.
///
/// In the pool a sender would wait for the shards and the shards for it: the load would measure
/// its own turns. What a sender helps with when a queue is full runs here as well.
final class SenderThread: TaskExecutor {
  // A serial queue without a target has a thread of its own whenever it has work.
  private let queue: DispatchQueue

  init(number: Int) {
    queue = DispatchQueue(label: "proscenium.load.sender-\(number)", qos: .userInteractive)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Keeps the current thread, which is that of a sender, from running for a while.
  ///
  /// The timer of a sleeping task would wait for a thread of the pool.
  ///
  /// - Parameter seconds: How long; at least 20 µs and at most a millisecond, so that a test that
  ///   is interrupted ends soon.
  static func pause(seconds: Double) {
    usleep(UInt32(min(max(seconds, 0.000_02), 0.001) * 1e6))
  }
}
