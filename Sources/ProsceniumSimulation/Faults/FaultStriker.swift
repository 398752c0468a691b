// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// Strikes sessions of an application in one way, at a rate.
struct FaultStriker {
  /// How long none is looked for where there was none.
  private static let rest = Duration.milliseconds(100)

  let kind: FaultKind
  private var rate: FaultRate
  private var random: SplitMix64
  private var restEnd = Duration.zero

  /// Creates one that has struck nothing.
  init(_ kind: FaultKind, _ strikes: FaultPlan.Strikes, seed: UInt64, stream: Int) {
    self.kind = kind
    rate = FaultRate(perSecond: strikes.perSecond)
    random = SplitMix64(seed: seed, stream: stream)
  }

  /// Strikes as often as it is due after a pause.
  mutating func strike(
    _ application: Application, _ injector: FaultInjector, at now: Duration, after pause: Duration
  ) {
    let count = rate.take(after: pause)
    for turn in 0..<count {
      let isResting = now < restEnd
      if !isResting, strikeOnce(application, injector, at: now) { continue }
      if !isResting { restEnd = now + Self.rest }
      injector.miss(count - turn)
      return
    }
  }

  /// Strikes one session; returns whether there was one.
  mutating func strikeOnce(
    _ application: Application, _ injector: FaultInjector, at now: Duration
  ) -> Bool {
    guard let session = draw(application, injector) else { return false }
    injector.note(InjectedFault(kind, at: now, session: session))
    let refuse: @Sendable (SceneError) -> Void = { _ in
      injector.state.withLock { $0.refusals += 1 }
    }
    guard kind == .disconnect else {
      application.submit(.destroy(session), onFailure: refuse)
      return true
    }
    application.host.submit(.disconnect(session)) { error in
      guard error.code == .notInBackground else { return refuse(error) }
      application.host.submit(.background(session))
      application.host.submit(.disconnect(session), onFailure: refuse)
    }
    return true
  }

  private mutating func draw(
    _ application: Application, _ injector: FaultInjector
  ) -> SessionIdentifier? {
    if let choose = injector.choose { return choose(kind, random.next()) }
    return application.openSessions.draw(isConnected: kind == .disconnect, &random)
  }
}

/// Says how many times something has to happen so that it happens so many times a second.
struct FaultRate {
  /// What is made up for after a pause, so that none ends in a burst without end.
  static let longestPause = Duration.milliseconds(100)

  let perSecond: Double
  /// The time without what pauses had too much.
  private var counted = Duration.zero
  private var taken = 0

  /// Creates a rate that has taken nothing.
  init(perSecond: Double) {
    self.perSecond = perSecond
  }

  /// Takes what has become due.
  ///
  /// - Parameter pause: The time since the last call.
  /// - Returns: How many times it has to happen now.
  mutating func take(after pause: Duration) -> Int {
    guard perSecond > 0 else { return 0 }
    counted += min(max(pause, .zero), Self.longestPause)
    // From the whole time, so that fractions do not add up to an error.
    let due = Int(perSecond * (counted / .seconds(1)))
    defer { taken = max(due, taken) }
    return max(due - taken, 0)
  }
}
