// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// One of the tasks that write in a crash test, with the sessions that it alone writes to.
struct CrashPencil: Sendable {
  private struct Own: Sendable {
    let session: SessionIdentifier
    var sequence: Int
    /// Whether the session may hold an older state than the last one that was sent.
    var isUnsure = false
  }

  private let application: Application
  private let report: @Sendable (CrashReport) -> Void
  private let share: Int
  private var random: SplitMix64
  private var own: [Own]
  /// Discarded, and nothing was durable since.
  private var leaving: [SessionIdentifier] = []
  /// Activated, and when a state was durable that was sent afterwards.
  private var activated: [(session: SessionIdentifier, time: Duration?)] = []
  private let elapsed: @Sendable () -> Duration
  /// The second in which activations are written, and half of another for what is on its way.
  private static let orderTime = Duration.milliseconds(1_500)

  init(
    _ application: Application, _ settings: CrashWriterSettings, _ number: Int,
    _ found: [CrashState], elapsed: @escaping @Sendable () -> Duration,
    _ report: @escaping @Sendable (CrashReport) -> Void
  ) {
    self.application = application
    self.report = report
    self.elapsed = elapsed
    share = max(settings.sessions / settings.writers, 1)
    random = SplitMix64(seed: settings.seed &+ UInt64(number) &* 0x9E37_79B9)
    own = found.map { Own(session: $0.session, sequence: $0.sequence) }
  }

  /// Writes until the task is cancelled.
  ///
  /// - Throws: A `SceneError` that no full disk explains.
  mutating func write() async throws {
    // A request waits for the launch, which messages do not.
    if let first = own.first { try await application.host.perform(.connect(first.session)) }
    while !Task.isCancelled {
      let choice = random.number(below: 1_000)
      if own.isEmpty || choice < 10 && own.count < 2 * share || own.count < share / 2 {
        try await create()
      } else if choice < 20, own.count > share / 2 {
        try await discard(random.number(below: own.count))
      } else if choice < 60 {
        try await disconnect(random.number(below: own.count))
      } else if choice < 100 {
        try await activate(random.number(below: own.count))
      } else {
        try await write(random.number(below: own.count))
      }
    }
  }

  private mutating func create() async throws(SceneError) {
    let session: SceneSession
    do throws(SceneError) {
      session = try await application.activateSceneSession()
    } catch  where error.code == .systemBusy {
      return
    }
    own.append(Own(session: session.persistentIdentifier, sequence: 0))
    try await write(own.count - 1)
  }

  private mutating func discard(_ place: Int) async throws(SceneError) {
    let session = own.remove(at: place).session
    report(.leaving(session))
    try await application.requestSceneSessionDestruction(session)
    leaving.append(session)
  }

  /// Takes a scene's memory, so that the session is restored by its next write.
  private func disconnect(_ place: Int) async throws(SceneError) {
    try await application.host.perform(.background(own[place].session))
    try await application.host.perform(.disconnect(own[place].session))
  }

  /// Makes a session the one that was activated last.
  private mutating func activate(_ place: Int) async throws(SceneError) {
    let session = own[place].session
    try await application.host.perform(.background(session))
    activated.removeAll { $0.session == session }
    report(.activating(session))
    do throws(SceneError) {
      _ = try await application.activateSceneSession(for: .init(session: session))
      report(.activated(session))
      activated.append((session, nil))
    } catch  where error.code == .systemBusy {}
  }

  private mutating func write(_ place: Int) async throws(SceneError) {
    let before = own[place]
    own[place].sequence += 1
    let (session, sequence) = (before.session, own[place].sequence)
    let order = CrashOrder(
      sequence: sequence, previous: before.isUnsure ? nil : before.sequence,
      hasEffect: sequence % 4 == 0)
    let start = elapsed()
    do throws(SceneError) {
      try await application.sendDurably(order.message, to: session)
      report(.durable(session, sequence: sequence))
      noteCommit(of: start)
      own[place].isUnsure = false
      // Commits are in order: what was discarded before this write began is durable, too.
      for session in leaving { report(.gone(session)) }
      leaving = []
    } catch {
      guard [.notDurable, .systemBusy].contains(error.code) else { throw error }
      own[place].isUnsure = true
      report(.refused(session, sequence: sequence, code: "\(error.code)"))
    }
  }

  /// Notes that what was sent at a time is durable, and tells which activations have to be, too.
  ///
  /// Those that were made before a state was sent are known to the store when that is durable, and
  /// are written with the first commit of a later second.
  private mutating func noteCommit(of start: Duration) {
    for place in activated.indices.reversed() {
      guard let time = activated[place].time else {
        activated[place].time = elapsed()
        continue
      }
      guard start - time >= Self.orderTime else { continue }
      report(.ordered(activated.remove(at: place).session))
    }
  }
}
