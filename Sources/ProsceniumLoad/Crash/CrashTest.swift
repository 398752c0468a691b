// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSQLite

/// How a crash test goes.
package struct CrashSettings: Sendable {
  /// The path of the program whose `crash-writer` is killed.
  package var program: String
  /// A folder that is there, for the store and what belongs to it.
  package var folder: String
  /// A folder on a small file system that the test may fill, or nil to limit the sizes of files.
  package var disk: String?
  /// How many times the writer is killed at random instants.
  package var kills = 200
  /// After how many seconds no further random kill begins, or nil for no limit.
  package var seconds: Int?
  /// What the choices follow from; the instants of the kills depend on the machine, too.
  package var seed: UInt64 = 1
  /// About how many sessions there are: 1 or more.
  package var sessions = 1_000
  /// How many tasks write: 1 or more.
  package var writers = 32
  /// How often the disk is filled.
  package var fullDisks = 4

  /// Makes settings.
  package init(program: String, folder: String) {
    self.program = program
    self.folder = folder
  }
}

/// Kills a process that writes to a store, again and again, and looks after each kill whether
/// everything is there that was acknowledged.
///
/// The process tells what it was promised, and the next one what the store holds; no other process
/// opens the store in between, so that each opening finds what the kill has left.
package struct CrashTest<C: Clock>: Sendable where C.Duration == Duration {
  private let settings: CrashSettings
  private let clock: C
  private let show: @Sendable (CrashPosition) -> Void
  private let isInterrupted: @Sendable () -> Bool

  /// Makes a test.
  ///
  /// - Parameters:
  ///   - settings: How it goes.
  ///   - clock: Times the kills.
  ///   - show: Shows how far it is; called often.
  ///   - isInterrupted: Whether it is to end early.
  package init(
    _ settings: CrashSettings, clock: C, show: @escaping @Sendable (CrashPosition) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool
  ) {
    self.settings = settings
    self.clock = clock
    self.show = show
    self.isInterrupted = isInterrupted
  }

  /// Runs the test; the thread is blocked until it is over.
  ///
  /// - Throws: What the system refuses: then nothing is known about the store.
  package func run() throws -> CrashSummary {
    let start = clock.now
    var random = SplitMix64(seed: settings.seed)
    var summary = CrashSummary()
    let main = CrashFolder(path: settings.folder)
    let disk = CrashFolder(path: settings.disk ?? settings.folder)
    for _ in 0..<Self.creations where summary.isHeld && !isInterrupted() {
      main.removeStore()
      var life = makeLife(main, start)
      try killEarly(&life, &random)
      try killOnce(&life, after: 20)
      summary.add(life)
    }
    main.removeStore()
    var life = makeLife(main, start)
    if settings.disk == nil {
      try fillDisk(&life, &random)
    } else if summary.isHeld, !life.isOver {
      disk.removeStore()
      var other = makeLife(disk, start)
      try fillDisk(&other, &random)
      try finish(&other)
      summary.add(other)
      if !other.isOver { disk.removeStore() }
    }
    if summary.isHeld { try killAtRandom(&life, &random, since: start) }
    try finish(&life)
    summary.add(life)
    summary.seconds = start.duration(to: clock.now) / .seconds(1)
    summary.isInterrupted = isInterrupted()
    if summary.isHeld { main.removeStore() }
    return summary
  }

  private func makeLife(_ folder: CrashFolder, _ start: C.Instant) -> CrashLife<C> {
    let settings = settings
    let show = show
    let clock = clock
    return CrashLife(folder, settings, clock, isInterrupted: isInterrupted) { life in
      let seconds = start.duration(to: clock.now) / .seconds(1)
      var fraction = Double(life.summary.kills) / Double(max(settings.kills, 1))
      if let limit = settings.seconds { fraction = max(fraction, seconds / Double(max(limit, 1))) }
      show(
        CrashPosition(
          kills: life.summary.kills, acknowledgements: life.ledger.acknowledgements,
          fraction: min(fraction, 1)))
    }
  }

  /// Opens the store again, and checks each page and each seal of it.
  private func finish(_ life: inout CrashLife<C>) throws {
    guard life.ledger.violationCount == 0 else { return }
    var child = try life.start()
    let pause = life.awaitReady(&child)
    if pause == .ended {
      life.ledger.violate("the store cannot be opened: \(life.words(life.end(child)))")
    } else {
      life.kill(child)
    }
    guard pause == .reached else { return }
    do throws(StoreError) {
      let report = try StoreVerification.run(
        life.folder.store, key: FileKeyProvider(path: life.folder.key, createsIfMissing: false))
      for damage in report.damage { life.ledger.violate("\(damage)") }
    } catch {
      life.ledger.violate("\(error)")
    }
  }

  // MARK: - Kills

  /// How often a store is killed while it is made.
  private static var creations: Int { 10 }
  /// After how many kills a writer lives long enough for activations to have to be in order.
  private static var longLife: Int { 40 }

  /// Kills the writer at random instants, now and then with a new application key, with which it
  /// has to wrap every session's key again.
  private func killAtRandom(
    _ life: inout CrashLife<C>, _ random: inout SplitMix64, since start: C.Instant
  ) throws {
    for number in 1...max(settings.kills, 1) where number <= settings.kills {
      let seconds = start.duration(to: clock.now) / .seconds(1)
      if let limit = settings.seconds, seconds >= Double(limit) { return }
      if life.isOver { return }
      if life.hasOneKey, random.happens(perThousand: 100) {
        try life.folder.changeKey(&random)
        life.hasOneKey = false
      }
      if number % Self.longLife == 0 {
        try killOnce(&life, after: 3_000)
      } else if random.happens(perThousand: 250) {
        try killEarly(&life, &random)
      } else {
        try killOnce(&life, after: 1 + random.number(below: 250))
      }
    }
  }

  /// Starts a writer, and kills it while it opens the store.
  private func killEarly(_ life: inout CrashLife<C>, _ random: inout SplitMix64) throws {
    var child = try life.start()
    _ = life.follow(&child, for: 1 + random.number(below: 60))
    life.kill(child)
  }

  /// Starts a writer, and kills it some milliseconds after it has opened the store.
  private func killOnce(_ life: inout CrashLife<C>, after milliseconds: Int) throws {
    var child = try life.start()
    if life.awaitReady(&child) == .reached { _ = life.follow(&child, for: milliseconds) }
    life.kill(child)
  }

  // MARK: - A full disk

  /// Fills the disk under the writer: it goes on with errors, and without them when there is room
  /// again, or after it was killed and started on the full disk.
  private func fillDisk(_ life: inout CrashLife<C>, _ random: inout SplitMix64) throws {
    for round in 0..<settings.fullDisks {
      if life.isOver { return }
      var child = try life.start()
      guard life.awaitReady(&child) == .reached,
        try writeUntilFull(&life, &child, random.number(below: 2_000))
      else {
        makeRoom(life, child)
        return life.kill(child)
      }
      if round % 2 == 0 {
        makeRoom(life, child)
        let goal = life.ledger.acknowledgements + 500
        let pause = life.follow(&child, for: 60_000) { $0.ledger.acknowledgements >= goal }
        if pause == .late { life.ledger.violate("no state is kept, although there is room again") }
        life.kill(child)
      } else {
        life.kill(child)
        try startWhileFull(&life)
      }
      life.summary.fullDisks += 1
    }
  }

  /// Lets the writer write for a while, then takes its room away.
  ///
  /// - Returns: Whether it is refused what it writes, as it should be.
  private func writeUntilFull(
    _ life: inout CrashLife<C>, _ child: inout CrashChild, _ states: Int
  ) throws -> Bool {
    let goal = life.ledger.acknowledgements + states
    guard
      life.follow(&child, for: 60_000, until: { $0.ledger.acknowledgements >= goal }) == .reached
    else { return false }
    try takeRoom(life, child)
    let refusals = life.ledger.refusals + 20
    let pause = life.follow(&child, for: 60_000) { $0.ledger.refusals >= refusals }
    if pause == .late { life.ledger.violate("states are kept, although there is no room") }
    return pause == .reached
  }

  /// Starts a writer on a full disk: it opens the store, or says why not.
  private func startWhileFull(_ life: inout CrashLife<C>) throws {
    let isLimited = settings.disk == nil
    var child = try life.start(isLimited ? ["--limit-files"] : [])
    let pause = life.follow(&child, for: 500)
    let ending = life.end(child)
    if !isLimited { life.folder.free() }
    if pause == .ended, ending != .exit(2) {
      life.ledger.violate("on a full disk the writer ended with \(life.words(ending))")
    }
  }

  private func takeRoom(_ life: CrashLife<C>, _ child: borrowing CrashChild) throws {
    if settings.disk != nil { try life.folder.fill() } else { child.limitFiles(true) }
  }

  private func makeRoom(_ life: CrashLife<C>, _ child: borrowing CrashChild) {
    if settings.disk != nil { life.folder.free() } else { child.limitFiles(false) }
  }
}

extension CrashSummary {
  /// Adds what the lives of one store came to.
  fileprivate mutating func add<C>(_ life: CrashLife<C>) {
    kills += life.summary.kills
    fullDisks += life.summary.fullDisks
    openings += life.summary.openings
    longestOpening = max(longestOpening, life.summary.longestOpening)
    largestStore = max(largestStore, life.summary.largestStore)
    largestLog = max(largestLog, life.summary.largestLog)
    ledgers.append(life.ledger)
  }
}
