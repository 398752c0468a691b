// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How an application runs: sizes, limits and everything that could be random.
///
/// Values outside their range are brought to the nearest one inside.
public struct ApplicationSettings: Sendable {
  /// What a launch connects (R-LCH-3).
  public enum Launch: Sendable {
    /// Nothing: sessions connect as they are needed. The default, and what servers want.
    case background
    /// The most recently active session, or a new one if there is none, comes to the foreground.
    case icon
    /// Every stored session connects in the background.
    case connectAll
    /// The session that an event is routed to comes to the foreground, or a new one does.
    case event(SceneEvent)
  }

  /// What becomes of the last open session when the user closes it (R-DST-6).
  public enum LastSessionClose: Sendable, Hashable {
    /// It is discarded, and the application goes on without sessions; the default.
    case discard
    /// As UIKit does: the scene is disconnected, the application ends, and the session is
    /// there at the next launch.
    case uikitCompat
  }

  /// What a launch connects.
  public var launch = Launch.background

  /// Whether protected data is available at the launch.
  ///
  /// Without it sessions that are loaded have no `stateRestorationActivity` until
  /// ``ApplicationHost/unlock()`` (R-SR-6).
  public var isProtectedDataAvailable = true

  /// How many shards there are: 1 to 256, rounded up to a power of two.
  ///
  /// More shards cost memory, fewer make callers wait for one another.
  public var shards = 64

  /// How many scenes of one group may be in the foreground: 1 or more, or `nil` for no limit
  /// (R-ACTV-2).
  ///
  /// With a limit, a group's sessions share one shard.
  public var foregroundCapacity: Int?

  /// How many sessions may be open, or `nil` for no limit of the host's.
  public var sessionQuota: Int?

  /// How many sessions of one owner may be open, or `nil` for no limit of the host's.
  public var ownerQuota: Int?

  /// What becomes of the last open session when the user closes it.
  public var lastSessionClose = LastSessionClose.discard

  /// Whether an application without a manifest runs all the same, with one implicit scene that has
  /// no delegate (R-LEG-2).
  public var allowsLegacy = false

  /// Whether the application delegate chooses again when a session of an earlier run connects for
  /// the first time (R-CON-1).
  public var asksConfigurationOnRestore = false

  /// How long a scene may extend its restoration, counted from the first
  /// ``Scene/extendStateRestoration()`` of a connection (R-EXT-1).
  public var restorationLimit = Duration.seconds(10)

  /// Whether a requested refresh waits for ``HostCommand/fulfilRefreshes``; otherwise it is
  /// fulfilled as soon as everything has run that was admitted for the session before (R-RF-2).
  public var fulfilsRefreshesByHost = false

  /// Which snapshots of a scene are taken, in this order, at most 8; none means one without a name.
  ///
  /// See R-BG-2 of the semantics.
  public var snapshotVariants: [String] = []

  /// Whether a refresh tells the delegate, as UIKit does, that the scene enters the foreground and
  /// leaves it again, before its state is captured (R-RF-4).
  public var refreshesInForeground = false

  /// Opens URLs that scenes hand to the host, and tells whether anything did; without it nothing
  /// does.
  ///
  /// `universalLinksOnly` asks for a program that has claimed the link for itself.
  public var opensURL: (@Sendable (String, _ universalLinksOnly: Bool) async -> Bool)?

  /// Decides whether a request of the program may be carried out; what users and the system do is
  /// not asked about (semantics#errors).
  ///
  /// It is given the request, as ``SessionRequest/activate(_:)`` for the session that it came to or
  /// as ``SessionRequest/destroy(_:_:)``, and how near the requesting scene is to the user: nil
  /// without one, or if it has no scene. UIKit wants requests to follow a direct interaction of the
  /// user; a host may refuse those that name no scene, or one that is not in the foreground.
  ///
  /// A pure function of its arguments: it is called with the application's gate held and must
  /// neither block nor call back. `false` refuses the request with `refusedByPolicy`.
  public var allowsRequest: (@Sendable (SessionRequest, Scene.ActivationState?) -> Bool)?

  /// Decides whether a client may attach to a session, in the name of a user if there is one.
  ///
  /// Without it a session that has an owner takes the clients of that user alone, and a session
  /// without one takes every client.
  ///
  /// It is called for each ``Application/attach(to:as:of:lastSeen:nextInput:isVisible:watches:)``
  /// with the session as it is in the open: its saved state is not read. It must neither block nor
  /// call back. `false` refuses the client with `clientRefused`.
  public var allowsClient: (@Sendable (SceneSession, ClientIdentifier, _ user: String?) -> Bool)?

  /// Is told of every lifecycle event of ``observedTopics`` in the moment in which it happens.
  ///
  /// It is called where the event happens, on the executor of the scene or of the application, so
  /// that everything can be read that a callback of the moment could read. It must not block; it
  /// may submit requests. ``Application/lifecycleEvents(limit:)`` is for everybody else.
  public var observer: (@Sendable (LifecycleEvent) -> Void)?

  /// Which events ``observer`` is told of; other events cost nothing.
  public var observedTopics = LifecycleEvent.Topics.all

  /// Who is told before ``observer``, whatever that one wants to know.
  package var otherObservers: [LifecycleObserver] = []

  /// What the application asks if it serves some slices of a store, and other processes the rest.
  package var sliceDuties: SliceDuties?

  /// How many messages one shard holds before a sender helps or is refused: 1 or more.
  public var eventLimit = 1024

  /// How many requests that make new work may be unfinished before one is refused with
  /// ``SceneError/Code/systemBusy``: 1 or more.
  public var requestLimit = 65_536

  /// How many sessions may be on their way from the store to a scene at once: 1 or more.
  ///
  /// Beyond it, who awaits a request or message waits for a turn, the most recently active session
  /// first, and what is submitted without waiting is refused with ``SceneError/Code/systemBusy``
  /// and ``SceneError/retryAfter``. What the system does by itself is not held up: what a launch
  /// connects, wakes, and refreshes that the host fulfils.
  public var reconnectionLimit = 4_096

  /// How many sessions a second may begin their way from the store to a scene, evenly spread: 1 or
  /// more, or `nil` for as many as the processors manage, up to ``reconnectionLimit`` at once.
  ///
  /// It leaves room for other work after a crash, when everybody comes back. What is beyond it
  /// waits or is refused as with ``reconnectionLimit``. Time is that of ``clock``.
  public var reconnectionRate: Int?

  /// How many may wait for a turn to connect a session before one more is refused with
  /// ``SceneError/Code/systemBusy``: 0 or more.
  ///
  /// One that waits takes about half a kilobyte, its task included.
  public var reconnectionWaitingLimit = 262_144

  /// How many different activation conditions without a text to be found by, such as
  /// `SELF != "a"`, there may be before it is logged, once: 0 or more.
  ///
  /// Each of them is evaluated for every identifier that is routed. None is ever refused.
  public var residualPredicateLimit = 1_024

  /// When the states of scenes are captured, unless ``durabilityOfRoles`` or the scene says
  /// otherwise.
  public var durability = Durability.onDisconnect

  /// When the states of scenes of some roles are captured.
  public var durabilityOfRoles: [SceneSession.Role: Durability] = [:]

  /// How long after a commit changes gather for which no caller waits, before they are committed
  /// together: 0 to 1 second.
  ///
  /// Commits cost a multiple of what they hold. One begins at once for
  /// ``Application/sendDurably(_:to:)``, for ``Scene/afterDurable(_:)`` and
  /// for what was captured by ``Durability/everyEvent`` or ``Durability/within(_:)``, and takes
  /// along whatever waits; and after a pause longer than this. Without these, the end of the
  /// process can cost what came in this time.
  public var commitInterval = Duration.milliseconds(10)

  /// How sessions treat their clients, unless ``clientRulesOfRoles`` says otherwise.
  public var clientRules = ClientRules()

  /// How sessions of some roles treat their clients.
  public var clientRulesOfRoles: [SceneSession.Role: ClientRules] = [:]

  /// How large a saved state may be.
  public var savedStateLimits = SavedStateLimits()

  /// The version of the states that this program saves, and how it restores older ones.
  public var stateMigrations = StateMigrations()

  /// When the runtime disconnects scenes by itself, or `nil` for never (R-DIS-1).
  ///
  /// ``ApplicationHost/setDisconnectionPolicy(_:)`` replaces it while the application runs.
  public var disconnectionPolicy: DisconnectionPolicy?

  /// How long a method of a scene's delegate may take: a millisecond to a day, or `nil` for no
  /// limit, which costs nothing.
  ///
  /// A callback that has used up its budget is reported with its session, as
  /// ``Diagnostic/slowCallback(_:duration:isRunning:)``: once while it still runs, and once when it
  /// has returned. It is not interrupted: callbacks are synchronous, so that it holds up the scenes
  /// of its shard, while other shards go on. One that is called inside of another counts with it.
  ///
  /// The first report comes from a task of its own, on no scene's executor. It needs a thread of
  /// ``taskExecutor``, and if the callback returns in that very moment, it may come after the
  /// second. Time is that of ``clock``.
  public var callbackBudget: Duration?

  /// Where the executors come from: the first lease is the application's, then one a shard.
  public var makeExecutor: @Sendable () -> ExecutorLease = { .pool() }

  /// The executor on which the application's tasks run, or `nil` for the pool.
  public var taskExecutor: (any TaskExecutor)?

  /// The clock that times ``LifecycleEvent`` and callbacks.
  public var clock: any Clock<Duration> = ContinuousClock()

  /// The date by which wakes are due; the system's unless set.
  ///
  /// It may be set while the application runs: it is looked at once a minute at least. It is called
  /// from any thread, must be short, and must not call back.
  public var wallClock: @Sendable () -> Date = { Date() }

  /// Where the identifiers of new sessions come from.
  public var identifiers = SessionIdentifierSource.random

  /// Where the application's metrics go; the process's own unless set.
  ///
  /// Lifecycle events are counted: `proscenium_connects`, `_disconnects`, `_discards`, `_captures`,
  /// `_routed_events`, `_wakes`, `_lost`, `_errors` and `_diagnostics`, with the dimensions that
  /// `Docs/METRICS.md` lists; `proscenium_scenes` is a meter of those that are connected. This
  /// costs nothing while the process has no metrics.
  ///
  /// `proscenium_residual_predicates` is a gauge: how many different activation conditions have to
  /// be evaluated for every identifier, see ``residualPredicateLimit``.
  /// `proscenium_durability_lag` is a timer: how much the end of the process could have cost, see
  /// ``DurabilityReport/lossBound``. `proscenium_policy_disconnects` counts the scenes that
  /// ``disconnectionPolicy`` took, with the dimension `reason`: `pressure` or `idle`;
  /// `proscenium_policy_used_bytes` is a gauge of the bytes that it saw.
  /// `proscenium_slow_callbacks` counts the callbacks that have used up their ``callbackBudget``.
  public var metrics: any MetricsFactory = MetricsSystem.factory

  // How many clients a session remembers; less in simulations, so that they forget some.
  package var rememberedClients = ClientMemory.limit

  // Called with the gate held, for each decision, in the total order.
  package var onAdmission: (@Sendable (AdmissionRecord) -> Void)?

  // Puts an object between the runtime and each scene's delegate, which writes down what is called.
  package var makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?

  /// Creates settings in which everything has its default value.
  public init() {}

  /// The settings with every limit inside its range.
  var inRange: ApplicationSettings {
    var settings = self
    settings.eventLimit = max(eventLimit, 1)
    settings.requestLimit = max(requestLimit, 1)
    settings.callbackBudget = callbackBudget.map {
      min(max($0, .milliseconds(1)), .seconds(86_400))
    }
    settings.reconnectionLimit = max(reconnectionLimit, 1)
    settings.reconnectionRate = reconnectionRate.map { max($0, 1) }
    settings.reconnectionWaitingLimit = max(reconnectionWaitingLimit, 0)
    settings.clientRules = clientRules.inRange
    settings.clientRulesOfRoles = clientRulesOfRoles.mapValues(\.inRange)
    settings.commitInterval = min(max(commitInterval, .zero), .seconds(1))
    settings.snapshotVariants = Array(snapshotVariants.prefix(8))
    return settings
  }

  /// How sessions of a role treat their clients.
  func clientRules(of role: SceneSession.Role) -> ClientRules {
    clientRulesOfRoles[role] ?? clientRules
  }

  /// Who is told of lifecycle events: the program, and its metrics if it has any.
  var observers: [LifecycleObserver] {
    var own = otherObservers
    own += observer.map { [LifecycleObserver(observedTopics, see: $0)] } ?? []
    if let metrics = LifecycleMetrics(metrics) {
      own.append(LifecycleObserver(LifecycleMetrics.topics) { metrics.see($0) })
    }
    return own
  }

  var shardBits: Int {
    let count = min(max(shards, 1), 256)
    return count == 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
  }
}
