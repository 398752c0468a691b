// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumPrimitives

/// One process of a simulated program: from its launch to its end, in order or not.
final class SimulatedLife: Sendable {
  /// How large a saved state may be, in bytes.
  static let stateLimit = 2_048

  private let world: SimulatedWorld
  private let application: Application
  private let store: SimulatedSessionStore
  private let number: Int
  /// What the disk had at the beginning.
  private let disk: [Int: SimulatedRow]
  private let newest: Int
  /// The disk for the next life, once the power is lost.
  private let next = Guarded<SimulatedSessionStore?>(nil)
  private let hasLaunched = Guarded(false)

  init(_ world: SimulatedWorld, _ store: SimulatedSessionStore, number: Int) {
    self.world = world
    self.store = store
    self.number = number
    var random = world.generator(10_000 + number)
    world.isClosing = false
    let isLocked = random.number(below: 100) < world.options[.locked]
    world.isLocked = isLocked
    world.hasKey = !isLocked
    store.setKey(isAvailable: !isLocked)
    let pending = Self.strike(world, store, &random)
    let kept = Self.rows(store).filter { !pending.contains($0.key) }
    newest = world.tell { model in
      model.beginLife(kept, pending: pending)
      model.rules.capacity = world.options[.capacity] == 0 ? .max : world.options[.capacity]
      model.rules.dances = world.options[.dance] == 1
      model.rules.budget = Self.budget(world.options)
      model.rules.expiry = world.options[.expiry] == 0 ? nil : .seconds(world.options[.expiry])
      for number in kept.keys where store.isDamaged(.numbered(number)) {
        model.sessions[number].isDamaged = true
      }
      return model.newest
    }
    disk = kept
    world.coverKill(kept)
    application = Self.makeApplication(world, store, newest: newest)
    if isLocked {
      world.note(.locked)
      application.host.lock()
    }
  }

  /// What happens to the disk while nothing runs.
  ///
  /// - Returns: The sessions whose discard the next launch has to report.
  private static func strike(
    _ world: SimulatedWorld, _ store: SimulatedSessionStore, _ random: inout SplitMix64
  ) -> Set<Int> {
    let sessions = store.sessions
    // R-DC-1: the end of the process took their scenes away.
    var pending = Set(
      sessions.filter { $0.destructionConditions.contains(.systemDisconnection) }
        .map(\.persistentIdentifier.number))
    // Their end was not written when the power was lost: they are reported again.
    pending.formUnion(store.discardedSessions.map(\.persistentIdentifier.number))
    for _ in 0..<min(world.options[.downDiscards], sessions.count) {
      let victim = sessions[random.number(below: sessions.count)].persistentIdentifier
      store.discardWhileNotRunning(victim)
      pending.insert(victim.number)
      world.note(.downDiscard, "of session \(victim.number)")
    }
    for session in sessions where random.happens(perThousand: world.options[.damage]) {
      guard session.stateRestorationActivity != nil else { continue }
      store.damage(session.persistentIdentifier)
      world.note(.damage, "of session \(session.persistentIdentifier.number)")
    }
    return pending
  }

  private static func rows(_ store: SimulatedSessionStore) -> [Int: SimulatedRow] {
    var rows: [Int: SimulatedRow] = [:]
    for session in store.sessions {
      rows[session.persistentIdentifier.number] = SimulatedRow(
        group: session.group.number, recency: Int(session.lastActivated),
        counts: session.stateRestorationActivity?.title.flatMap { MessageCounts(text: $0) })
    }
    return rows
  }

  private static func makeApplication(
    _ world: SimulatedWorld, _ store: SimulatedSessionStore, newest: Int
  ) -> Application {
    let configuration = SceneConfiguration("Main") { SimulatedDelegate(world) }
    let manifest = SceneManifest(
      [configuration], supportsMultipleScenes: world.options[.singleScene] == 0)
    let settings = settings(world, newest: newest)
    guard world.options[.configuration] > 0 else {
      return Application(manifest: manifest, store: store, settings: settings, log: log)
    }
    return Application(manifest: manifest, store: store, settings: settings, log: log) {
      SimulatedApplicationDelegate(world)
    }
  }

  private static let log = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }

  private static func settings(_ world: SimulatedWorld, newest: Int) -> ApplicationSettings {
    let options = world.options
    var settings = ApplicationSettings()
    settings.taskExecutor = world.executor
    settings.clock = world.executor.clock
    settings.wallClock = { world.date }
    settings.identifiers = .counted(from: UInt64(newest + 1))
    settings.shards = options[.shards]
    settings.foregroundCapacity = options[.capacity] == 0 ? nil : options[.capacity]
    settings.sessionQuota = options[.quota] == 0 ? nil : options[.quota]
    settings.eventLimit = options[.eventLimit]
    settings.requestLimit = options[.requestLimit]
    if options[.reconnectionRate] > 0 { settings.reconnectionRate = options[.reconnectionRate] }
    if options[.reconnections] > 0 { settings.reconnectionLimit = options[.reconnections] }
    settings.launch = [.background, .icon, .connectAll][options[.launch]]
    settings.durability =
      switch options[.durability] {
      case 0: .onDisconnect
      case 1: .everyEvent
      default: .within(.milliseconds(options[.durability]))
      }
    settings.commitInterval = .milliseconds(options[.gathering])
    settings.refreshesInForeground = options[.dance] == 1
    settings.fulfilsRefreshesByHost = options[.manualRefresh] == 1
    settings.snapshotVariants = Array(["light", "dark"].prefix(options[.variants]))
    settings.clientRules.frameLimit = options[.frameLimit]
    if options[.identities] > 0 { settings.rememberedClients = 1 }
    if options[.expiry] > 0 {
      settings.clientRules.expiry = .seconds(options[.expiry])
      settings.clientRules.gracePeriod = .milliseconds(options[.expiry] * 100)
    }
    settings.restorationLimit = .milliseconds(options[.restorationLimit])
    settings.savedStateLimits = SavedStateLimits(byteCount: stateLimit)
    settings.disconnectionPolicy = policy(options)
    settings.callbackBudget = budget(options)
    settings.observer = { world.see($0) }
    settings.onAdmission = { world.admit($0) }
    settings.makeFront = world.makeFront
    settings.watchOrder()
    return settings
  }

  private static func budget(_ options: SimulationOptions) -> Duration? {
    options[.budget] == 0 ? nil : .milliseconds(options[.budget])
  }

  private static func policy(_ options: SimulationOptions) -> DisconnectionPolicy? {
    guard options[.sceneLimit] > 0 || options[.idleTime] > 0 else { return nil }
    var policy = DisconnectionPolicy()
    policy.sceneLimit = options[.sceneLimit] == 0 ? nil : options[.sceneLimit]
    policy.idleTime = options[.idleTime] == 0 ? nil : .milliseconds(options[.idleTime])
    policy.takesForeground = options[.takesForeground] == 1
    policy.interval = .milliseconds(10)
    return policy
  }

  // MARK: - Living

  /// Lives until the clients stop, or until the power is lost.
  ///
  /// - Returns: The store for the next life.
  func live() async -> SimulatedSessionStore {
    world.beginRun()
    world.note(.relaunch, "life \(number), \(disk.count) sessions on the disk")
    let endsInOrder = await withTaskGroup(of: Bool.self) { group in
      // It runs concurrently until it is cancelled or has lost its power.
      group.addTask { await self.run() }
      await application.process.launched()
      hasLaunched.withLock { $0 = true }
      await play()
      if !application.isOver {
        await application.settle()
        if !application.isOver { lookAtEverything() }
      }
      group.cancelAll()
      return await group.next() ?? false
    }
    let isOrderly = endsInOrder && !world.tell(\.isOver)
    world.endRun(isLost: !isOrderly)
    if isOrderly { return endInOrder() }
    compare(isCut: true)
    // Who has not lost the power by now loses it here.
    cut()
    return next.withLock { $0 } ?? store
  }

  private func run() async -> Bool {
    do {
      try await application.run()
      return true
    } catch {
      world.note("the run ended: \(error)")
      return false
    }
  }

  /// Lets the clients do what they do, and the system as long as one of them waits for it.
  private func play() async {
    await withTaskGroup { group in
      // Ended when the last client is: a task may wait for it until then.
      group.addTask { [world, application, store, number] in
        var system = SimulatedSystem(world, application, store, life: number)
        await system.run()
      }
      await withTaskGroup { clients in
        for client in 0..<world.options[.clients] {
          // Clients take turns where each waits, as those of a real program do.
          clients.addTask { [world, application, number] in
            var client = SimulatedClient(world, application, number: client, life: number)
            await client.run()
          }
        }
      }
      group.cancelAll()
    }
  }

  /// Takes the power away, in the middle of whatever is going on.
  func cut() {
    guard next.withLock({ $0 == nil }) else { return }
    world.note(.powerLoss)
    world.tell { $0.cut() }
    world.isClosing = true
    let store = store.losePower()
    next.withLock { $0 = store }
    application.process.abandon()
  }

  /// Lets another process take the store over: nothing that this one writes counts any more.
  func takeOver() {
    // What takes the store over before it is loaded is only the one before.
    guard hasLaunched.withLock({ $0 }) else { return }
    world.note(.takeover)
    store.takeOver()
    world.tell { $0.rules.isTakenOver = true }
  }

  /// The load of the application, with its bounds.
  func checkBounds() {
    let load = application.queueLoad
    let limits = world.options
    if load.messages > limits[.eventLimit] {
      world.tell { $0.find("a shard holds \(load.messages) messages of \(limits[.eventLimit])") }
    }
    // What a launch connects is not refused for load.
    var requests = max(limits[.requestLimit], limits[.launch] == 0 ? 0 : disk.count + 1)
    // Nor what the host fulfils.
    if limits[.manualRefresh] == 1 { requests += limits[.requestLimit] }
    if load.requests > requests {
      world.tell { $0.find("\(load.requests) requests are unfinished, of \(requests)") }
    }
    // The system's own are not held up.
    let hasOwn = limits[.launch] > 0 || limits[.wake] > 0 || limits[.manualRefresh] == 1
    if limits[.reconnections] > 0, !hasOwn, load.reconnections > limits[.reconnections] {
      world.tell { $0.find("\(load.reconnections) sessions are being connected again") }
    }
  }

  // MARK: - Looking

  private func lookAtEverything() {
    let load = application.queueLoad
    // What waits for a restoration or for the host is in flight for good.
    let isQuiet = load.parkedLanes == 0
    var visible: [Int: SceneState] = [:]
    for session in application.openSessions { visible[session.id.number] = .unattached }
    for scene in application.connectedScenes {
      visible[scene.persistentIdentifier.number] = SceneState(scene.activationState)
    }
    let shown = visible
    let (time, isLocked) = (world.calendarTime, world.isLocked)
    world.tell { model in
      guard isQuiet else { return }
      model.settle(shown, at: time, isLocked: isLocked)
      let waiting = load.waitingReconnections
      if load.requests > 0 || load.messages > 0 || load.reconnections > 0 || waiting > 0 {
        model.find(
          "\(load.requests) requests, \(load.messages) messages, \(load.reconnections)"
            + " reconnections and \(waiting) that wait for one are left over")
      }
    }
  }

  private func endInOrder() -> SimulatedSessionStore {
    world.note(.orderlyEnd)
    let disk = Self.rows(store)
    compare(isCut: false)
    world.tell { $0.endInOrder(disk) }
    // For a store of its own; nothing is being written.
    return store.losePower()
  }

  private func compare(isCut: Bool) {
    let options = world.options
    // What waits for a restoration, or cannot be read, is not in the decisions.
    guard options[.extending] == 0, options[.damage] == 0, options[.locked] == 0,
      options[.unread] == 0
    else { return }
    var rules = AdmissionReplay.Rules(
      capacity: options[.capacity] == 0 ? .max : options[.capacity], groups: options[.groups])
    rules.isSingleScene = options[.singleScene] == 1
    rules.dances = options[.dance] == 1
    let known = rules
    world.tell { $0.compare(with: known, disk, newest: newest, isCut: isCut) }
  }
}
