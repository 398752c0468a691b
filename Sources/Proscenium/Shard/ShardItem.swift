// SPDX-License-Identifier: Apache-2.0

/// One entry of a shard's FIFO: something to do for one session.
struct ShardItem: Sendable {
  enum Work: Sendable {
    case message(SceneMessage)
    case call(SceneMessage, CallJob)
    case plan(Plan)
    /// The answer to the question of the session's first plan has come: its lane may go on.
    case release
    /// Everything that named the dead slot has run: it can be given away.
    case bury
  }

  let slot: Int32
  let work: Work

  /// Whether the item counts against the bound of the FIFO.
  var isEvent: Bool {
    switch work {
    case .message, .call: true
    case .plan, .release, .bury: false
    }
  }

  /// The other lane that the item stands in, if it is joint.
  var partner: Plan.Partner? {
    if case .plan(let plan) = work { plan.partner } else { nil }
  }
}

/// What was decided about one session, to be carried out by its shard.
struct Plan: Sendable {
  /// The other session of a joint plan, by its slot in the same shard.
  struct Partner: Sendable {
    let slot: Int32
    let session: SessionLedger.Partner
  }

  let goal: SceneLifecycle.Goal
  /// Whether the plan opens the session.
  var isFirst = false
  /// Whether the plan counts against the bound of unfinished requests.
  var isNewWork = false
  /// Why a scene is disconnected or a session discarded.
  var reason = LifecycleEvent.Reason.requested
  /// The ledger's count of decisions about the session, this one included.
  var decisions: UInt32 = 0
  var partner: Partner?
  /// The activation counter's value, if the session becomes active by this plan.
  var activation: UInt64?
  var job: PlanJob?
}

/// What a plan carries beside its goal, and where its outcome is reported.
final class PlanJob: Sendable {
  let event: SceneEvent?
  let question: ConfigurationQuestion?
  private let ticket: Ticket<SceneSession>?
  private let onFailure: (@Sendable (SceneError) -> Void)?

  init(
    event: SceneEvent? = nil, question: ConfigurationQuestion? = nil,
    ticket: Ticket<SceneSession>? = nil,
    onFailure: (@Sendable (SceneError) -> Void)? = nil
  ) {
    self.event = event
    self.question = question
    self.ticket = ticket
    self.onFailure = onFailure
  }

  /// Whether a task waits for the outcome, and will help.
  var isAwaited: Bool { ticket != nil }

  func succeed(_ session: @autoclosure () -> SceneSession) {
    ticket?.answer(.success(session()))
  }

  func fail(_ error: SceneError) {
    ticket?.answer(.failure(error))
    onFailure?(error)
  }
}

/// Where the reply to a call is left.
final class CallJob: Sendable {
  let ticket = Ticket<SceneMessage>()
}
