// SPDX-License-Identifier: Apache-2.0

/// One entry of a shard's FIFO: something to do for one session.
struct ShardItem: Sendable {
  enum Work: Sendable {
    case message(SceneMessage)
    case call(SceneMessage, ReplyTicket)
    /// A call whose reply comes in pieces.
    case stream(SceneMessage, ReplyStream)
    /// A message whose sender waits until its effect is durable.
    case durable(SceneMessage, CompletionTicket)
    /// A client that asks for a line.
    case attach(LineRequest)
    /// Input of a client, which has given it a number.
    case input(ClientInput)
    /// The scene is to emit everything again.
    case render(RenderRequest)
    case plan(Plan)
    /// What is left of a plan that was held up.
    case rest(HeldPlan)
    /// What the lane's first item waits for has come: the lane may go on.
    case release
    /// Everything that named the dead slot has run: it can be given away.
    case bury
    /// What was decided about the session before a restoration timed out has run: without a scene
    /// it is archived, unless something was decided since.
    case archive(DecisionClock)
    /// What a session holds is changed at once, whatever its lane waits for.
    case update(SessionUpdate)
    /// A look at what was set from outside a callback.
    case visit
    /// The store has answered with the saved state that the session needs.
    case state(StateAnswer)
    /// The scene goes without its saved state and is about to need it.
    case askState
    /// A scene goes on with the result of its own work, whatever its lane waits for.
    case resume(ResumedScene)
    /// The time for the scene's extended restoration is over.
    case expire(WeakReference)
    /// The time has come by which the scene's state was to be captured.
    case capture(WeakReference, markedAt: Duration)
    /// The application ends: no restoration is waited for any more.
    case abandonRestorations
    /// The user of a session has been without a line for some time.
    case absence(WeakReference, Absence)
    /// A session that ends if no one uses it is looked at.
    case review(ExpiryLedger.Look)
    /// A policy asks the shard for scenes.
    case pressure(ShardPressure.Request)
  }

  let slot: Int32
  let work: Work

  /// Whether the item counts against the bound of the FIFO.
  ///
  /// A call does not: its caller waits.
  @inline(__always)
  var isCounted: Bool {
    switch work {
    case .message, .input: true
    default: false
    }
  }

  /// The other lane that the item is in, if it is joint.
  var partner: Plan.Partner? {
    plan?.partner
  }

  var plan: Plan? {
    switch work {
    case .plan(let plan): plan
    case .rest(let held): held.plan
    default: nil
    }
  }

  /// Tells a caller that waits for the item that it will not run.
  func fail(_ error: SceneError) {
    switch work {
    case .call(_, let ticket): ticket.answer(.failure(error))
    case .stream(_, let stream): stream.fail(error)
    case .durable(_, let ticket): ticket.answer(.failure(error))
    case .attach(let request): request.ticket.answer(.failure(error))
    case .plan(let plan): plan.fail(error)
    case .rest(let held): held.plan.fail(error)
    case .update(let update): update.fail(error)
    case .message, .input, .render, .release, .bury, .archive, .visit, .state, .askState, .resume,
      .expire, .capture, .abandonRestorations, .absence, .review, .pressure:
      break
    }
  }

  /// Whether the item has its place in the order of its session's lane.
  @inline(__always)
  var standsInLane: Bool {
    switch work {
    case .message, .call, .stream, .durable, .attach, .input, .render, .plan, .rest, .bury,
      .archive:
      true
    case .release, .update, .visit, .state, .askState, .resume, .expire, .capture,
      .abandonRestorations, .absence, .review, .pressure:
      false
    }
  }

  /// Whether the item may connect its session.
  var mayConnect: Bool {
    switch work {
    case .message, .call, .stream, .durable, .attach, .input, .render: true
    case .plan(let plan): plan.mayConnect
    case .rest(let held): held.plan.mayConnect
    default: false
    }
  }

  /// Whether the item's session is not to lose its scene to a policy before the item has run.
  var wantsScene: Bool {
    if case .resume = work { return true }
    return standsInLane
  }

  /// Whether the item is a use of its session, which does not end then.
  var isUseOfSession: Bool {
    switch work {
    case .message, .call, .stream, .durable, .input: true
    case .plan(let plan):
      switch plan.delivery {
      case nil, .wake: plan.goal.isForeground
      default: true
      }
    default: false
    }
  }

  /// Whether the item is a use of its scene, for a policy that lets the others go first.
  @inline(__always)
  var isUse: Bool {
    switch work {
    case .message, .call, .stream, .durable, .attach, .input, .render: true
    case .plan(let plan): plan.goal.isUse
    default: false
    }
  }
}

extension SceneLifecycle.Goal {
  /// Whether something is wanted of the scene; one that leaves the foreground was seen.
  fileprivate var isUse: Bool {
    switch self {
    case .unchanged, .connected, .foreground, .held, .inactive, .background: true
    case .refreshed, .disconnected, .destroyed: false
    }
  }
}

/// A plan that was held up, with what it waits for and leaves as it is until then.
///
/// An object, so that the few of them do not make every item of a queue larger.
final class HeldPlan: Sendable {
  let plan: Plan
  /// The answer of the application delegate, if it waits for one.
  let handshake: Handshake<Void>?
  /// Whether the application still counts as active, since the two scenes are changing places.
  let hasCredit: Bool

  init(_ plan: Plan, handshake: Handshake<Void>? = nil, hasCredit: Bool = false) {
    self.plan = plan
    self.handshake = handshake
    self.hasCredit = hasCredit
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
  /// Whether the plan connects a session again, and counts against the bound of those.
  var isReconnection = false
  /// Whether the plan brings a session back to where it was to be, since it has lost its scene.
  var isRepeated = false
  /// Why a scene is disconnected or a session discarded.
  var reason = LifecycleEvent.Reason.system
  /// Whether the scene goes to the background before it is disconnected (R-DIS-1).
  var leavesForeground = false
  /// The last session is closed as UIKit does it: the application ends, the session stays.
  var endsApplication = false
  /// The decision that the plan carries out.
  var decisions = DecisionClock()
  var partner: Partner?
  /// The activation counter's value, or 0 if the session does not become active by this plan.
  var activation: UInt64 = 0
  /// The value that the session had before.
  var lastActivation: UInt64 = 0
  /// Where the outcome is left for a task that waits.
  var ticket: RequestTicket?
  /// What few plans carry: one allocation, for those alone.
  var cargo: Cargo?

  /// What is delivered, a question, who wants to know of a failure, and what follows a discard.
  final class Cargo: Sendable {
    let delivery: Delivery?
    /// Whether there is a delivery, and one that is told to a scene that connects as well: a
    /// look copies nothing.
    let hasDelivery: Bool
    let isAnnouncement: Bool
    /// How the event that is delivered found the session.
    let routing: RoutingDecision?
    let question: ConfigurationQuestion?
    let onFailure: (@Sendable (SceneError) -> Void)?
    let others: [RequestTicket]
    let replacement: Replacement?

    init(
      delivery: Delivery?, routing: RoutingDecision? = nil, question: ConfigurationQuestion?,
      onFailure: (@Sendable (SceneError) -> Void)?, others: [RequestTicket] = [],
      replacement: Replacement? = nil
    ) {
      self.delivery = delivery
      hasDelivery = delivery != nil
      isAnnouncement = delivery?.isAnnouncement ?? false
      self.routing = routing
      self.question = question
      self.onFailure = onFailure
      self.others = others
      self.replacement = replacement
    }
  }

  /// Whether the plan connects a session that has no scene.
  var mayConnect: Bool {
    if case .wake? = delivery { true } else { goal.connects }
  }

  var delivery: Delivery? { cargo?.delivery }
  var routing: RoutingDecision? { cargo?.routing }
  var question: ConfigurationQuestion? { cargo?.question }

  func succeed(_ session: @autoclosure () -> SceneSession) {
    ticket?.succeed(session())
    guard let others = cargo?.others, !others.isEmpty else { return }
    for other in others { other.succeed(session()) }
  }

  func fail(_ error: SceneError) {
    ticket?.fail(error)
    guard let cargo else { return }
    for other in cargo.others { other.fail(error) }
    cargo.onFailure?(error)
    cargo.replacement?.reporting.fail(error)
  }
}

/// What is admitted once the session that cannot be shown any more was discarded (R-CFG-6).
struct Replacement: Sendable {
  let command: Command
  let reporting: Reporting
}

extension ShardItem.Work {
  /// What the shard does about a scene's signal.
  init(_ signal: SceneSignal) {
    self =
      switch signal {
      case .changed: .visit
      case .restored: .release
      case .needsState: .askState
      case .resumed(let resumed): .resume(resumed)
      }
  }
}

/// What the store has answered.
struct StateAnswer: Sendable {
  let session: SessionIdentifier
  let number: UInt32
  let state: Result<RestoredState, SceneError>
}

extension Plan.Partner {
  /// The session that an activation needs out of its way, if there is one.
  init?(_ activation: SessionLedger.Activation, _ shardBits: Int) {
    guard let partner = activation.partner else { return nil }
    if partner.kind == .victim {
      // The victim keeps its scene; only the ledger has moved it.
      precondition(
        partner.handle.shard(shardBits) == activation.handle.shard(shardBits),
        "sessions that can displace one another share a shard")
    }
    slot = Int32(partner.handle.slot(shardBits))
    session = partner
  }
}
