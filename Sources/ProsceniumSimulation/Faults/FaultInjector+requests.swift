// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Requests are as real ones on a network: some arrive twice, some late.
extension FaultInjector {
  /// Makes a request, as often and as late as the plan says.
  ///
  /// One that is delayed is made by the task of ``run(against:)``, at the latest when that ends; it
  /// is made at once while nothing runs, or while 10,000 are held back.
  /// ```swift
  /// injector.submit { application.submit(.destroy(session)) }
  /// ```
  ///
  /// - Parameter make: Makes the request; it must not block.
  public func submit(_ make: @escaping @Sendable () -> Void) {
    let fate = drawRequest()
    let request = HeldRequest(
      time: fate.moment + (fate.delay ?? .zero), count: fate.isDuplicated ? 2 : 1, make)
    guard let delay = fate.delay, state.withLock({ $0.hold(request) }) else {
      return request.make()
    }
    note(InjectedFault(.requestDelayed, at: fate.moment, duration: delay))
  }

  /// Makes a request that is awaited, as often and as late as the plan says.
  ///
  /// A cancelled task waits no longer, and makes its request.
  ///
  /// - Parameter make: Makes the request, once or twice.
  /// - Returns: What the first request returns.
  /// - Throws: What the first request throws; what the second one throws has no meaning.
  public func perform<Value, Failure>(
    _ make: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let fate = drawRequest()
    if let delay = fate.delay {
      note(InjectedFault(.requestDelayed, at: fate.moment, duration: delay))
      try? await clock.sleep(for: delay)
    }
    let value = try await make()
    if fate.isDuplicated { _ = try? await make() }
    return value
  }

  /// What happens to the next request.
  private func drawRequest() -> (moment: Duration, isDuplicated: Bool, delay: Duration?) {
    guard plan.requests != FaultPlan.Requests(), let moment = moment() else {
      return (.zero, false, nil)
    }
    let (isDuplicated, delay) = state.withLock { state in
      (
        state.requests.happens(perThousand: plan.requests.duplicatedPerThousand),
        plan.requests.delays.draw(&state.requests)
      )
    }
    if isDuplicated { note(InjectedFault(.requestDuplicated, at: moment)) }
    return (moment, isDuplicated, delay)
  }
}

/// A request that is held back until its time has come.
struct HeldRequest: Sendable {
  /// How many can be held back.
  static let limit = 10_000

  /// When it is made, counted from the beginning of the injection.
  let time: Duration
  /// How often it is made.
  let count: Int
  private let makeOnce: @Sendable () -> Void

  /// Creates a request.
  init(time: Duration, count: Int, _ make: @escaping @Sendable () -> Void) {
    self.time = time
    self.count = count
    makeOnce = make
  }

  /// Makes the request as often as it is to be made.
  func make() {
    for _ in 0..<count { makeOnce() }
  }
}

extension FaultPlan.Delay {
  /// Draws how long it takes this time; nil if it does not happen.
  func draw(_ random: inout SplitMix64) -> Duration? {
    let happens = random.happens(perThousand: perThousand)
    // Drawn in either case, so that what follows does not depend on the share.
    let part = random.number(below: 1_001)
    let span = time.upperBound - time.lowerBound
    return happens ? time.lowerBound + span * part / 1_000 : nil
  }
}
