// SPDX-License-Identifier: Apache-2.0

/// One entry of a shard's FIFO: something to do for one session.
struct ShardItem: Sendable {
  enum Work: Sendable {
    case message(SceneMessage)
    case call(SceneMessage, Ticket<SceneMessage>)
    case plan(Plan)
    /// The answer to the question of the session's first plan has come: its lane may go on.
    case release
    /// Everything that named the dead slot has run: it can be given away.
    case bury
  }

  let slot: Int32
  let work: Work

  /// Whether the item counts against the bound of the FIFO.
  ///
  /// A call does not: its caller waits.
  @inline(__always)
  var isCounted: Bool {
    if case .message = work { true } else { false }
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
  var reason = LifecycleEvent.Reason.system
  /// The ledger's count of decisions about the session, this one included.
  var decisions: UInt32 = 0
  var partner: Partner?
  /// The activation counter's value, if the session becomes active by this plan.
  var activation: UInt64?
  /// Where the outcome is left for a task that waits.
  var ticket: Ticket<SceneSession>?
  /// What few plans carry: one allocation, for those alone.
  var cargo: Cargo?

  /// An event, a question, and who wants to know of a failure.
  final class Cargo: Sendable {
    let event: SceneEvent?
    let question: ConfigurationQuestion?
    let onFailure: (@Sendable (SceneError) -> Void)?

    init(
      event: SceneEvent?, question: ConfigurationQuestion?,
      onFailure: (@Sendable (SceneError) -> Void)?
    ) {
      self.event = event
      self.question = question
      self.onFailure = onFailure
    }
  }

  var event: SceneEvent? { cargo?.event }
  var question: ConfigurationQuestion? { cargo?.question }

  func succeed(_ session: @autoclosure () -> SceneSession) {
    ticket?.answer(.success(session()))
  }

  func fail(_ error: SceneError) {
    ticket?.answer(.failure(error))
    cargo?.onFailure?(error)
  }
}
