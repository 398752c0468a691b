// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Stores that fail, wait and lose their power.
@Suite(.timeLimit(.minutes(10))) struct FaultStoreTests {
  @Test(arguments: [FaultKind.storeFailed, .storeFull, .storeDelay])
  func `as many commits are struck as the plan says`(kind: FaultKind) throws {
    var plan = FaultPlan(seed: 9)
    switch kind {
    case .storeFailed: plan.store.failedPerThousand = 250
    case .storeFull: plan.store.fullPerThousand = 250
    default: plan.store.delays = .init(perThousand: 250, time: .seconds(1) ... .seconds(3))
    }
    let executor = SeededExecutor(seed: 1)
    let clock = executor.clock
    let faults = FaultLog()
    let injector = FaultInjector(plan, clock: clock) { faults.add($0) }
    let store = injector.store(InMemorySessionStore())
    let (codes, slow) = try executor.run {
      _ = try await store.commit([])
      #expect(injector.counts.isEmpty)
      injector.begin()
      var (codes, slow): ([StoreError.Code], Int) = ([], 0)
      for _ in 0..<1_000 {
        let start = clock.now
        do throws(StoreError) { _ = try await store.commit([]) } catch { codes.append(error.code) }
        let time = start.duration(to: clock.now)
        if time > .zero { slow += 1 }
        #expect(time == .zero || time >= .seconds(1) && time <= .seconds(3))
      }
      injector.end()
      _ = try await store.commit([])
      return (codes, slow)
    }
    let count = try #require(injector.counts[kind])
    #expect((200...300).contains(count))
    #expect(injector.counts.count == 1)
    #expect(faults.faults.count == count)
    #expect(slow == (kind == .storeDelay ? count : 0))
    let code = kind == .storeFull ? StoreError.Code.full : .failed
    #expect(codes == Array(repeating: code, count: kind == .storeDelay ? 0 : count))
    let lengths = faults.faults.compactMap(\.duration)
    #expect(lengths.count == slow)
    #expect(Set(lengths).count >= slow / 2)
  }

  @Test func `nothing of a commit that fails is written`() throws {
    var plan = FaultPlan(seed: 9)
    plan.store.failedPerThousand = 500
    let disk = InMemorySessionStore()
    let injector = FaultInjector(plan, clock: ManualClock())
    injector.begin()
    let store = injector.store(disk)
    let committed = try SeededExecutor(seed: 1).run {
      let epoch = try await store.load { _ in }.epoch
      var committed: [SessionIdentifier] = []
      for number in 1...100 {
        if await Self.insert(number, epoch, into: store) == nil {
          committed.append(.numbered(number))
        }
      }
      return committed
    }
    #expect(disk.sessions.map(\.persistentIdentifier) == committed)
    #expect((30...70).contains(committed.count))
  }

  @Test func `a torn commit is there or is not, and fails with everything after it`() throws {
    var outcomes: [Int: Int] = [:]
    for seed in UInt64(1)...40 {
      var plan = FaultPlan(seed: seed)
      plan.store.tornPerThousand = 1_000
      let disk = InMemorySessionStore()
      let injector = FaultInjector(plan, clock: ManualClock())
      injector.begin()
      let store = injector.store(disk)
      try SeededExecutor(seed: seed).run {
        let epoch = try await store.load { _ in }.epoch
        let first = await Self.insert(1, epoch, into: store)
        let second = await Self.insert(2, epoch, into: store)
        for error in [first, second] {
          #expect(
            error?.message == "expected power for the store, and the plan of faults has taken it")
        }
        await #expect(throws: StoreError.self) { try await store.readState(of: .numbered(1)) }
        await #expect(throws: StoreError.self) { try await store.setRestoring(true) }
        await #expect(throws: StoreError.self) { _ = try await store.load { _ in } }
        // The next launch takes another store on the same disk.
        _ = try await injector.store(disk).load { _ in }
      }
      #expect(injector.counts == [.storeTorn: 1, .powerLoss: 1])
      outcomes[disk.sessions.count, default: 0] += 1
    }
    #expect(outcomes.keys.sorted() == [0, 1])
    #expect(outcomes.values.allSatisfy { $0 >= 10 })
  }

  @Test func `a loss of power strikes what is under way, before or after it is written`() throws {
    var outcomes: [Int: Int] = [:]
    for seed in UInt64(1)...40 {
      var plan = FaultPlan(seed: seed)
      plan.store.delays = .init(perThousand: 1_000, time: .seconds(2) ... .seconds(2))
      plan.store.powerLosses = [.seconds(1)]
      let disk = InMemorySessionStore()
      let executor = SeededExecutor(seed: seed)
      let injector = FaultInjector(plan, clock: executor.clock)
      let store = injector.store(disk)
      try executor.run {
        injector.begin()
        let epoch = try await store.load { _ in }.epoch
        let error = await Self.insert(1, epoch, into: store)
        #expect(error?.code == .failed)
      }
      #expect(injector.counts == [.storeDelay: 1, .powerLoss: 1])
      outcomes[disk.sessions.count, default: 0] += 1
    }
    #expect(outcomes.keys.sorted() == [0, 1])
    #expect(outcomes.values.allSatisfy { $0 >= 10 })
  }

  @Test func `power that a program takes is gone for the stores that there are`() async throws {
    let injector = FaultInjector(FaultPlan(), clock: ManualClock())
    let disk = InMemorySessionStore()
    let one = injector.store(disk)
    injector.losePower()
    let other = injector.store(disk)
    await #expect(throws: StoreError.self) { try await one.readState(of: .numbered(1)) }
    await #expect(throws: Never.self) { try await other.readState(of: .numbered(1)) }
    #expect(injector.counts == [.powerLoss: 1])
  }

  private static func insert(
    _ number: Int, _ epoch: UInt32, into store: any SessionStore
  ) async -> StoreError? {
    let row = SessionRow(persistentIdentifier: .numbered(number))
    let change = StoreChange(session: .numbered(number), epoch: epoch, kind: .insert(row))
    do throws(StoreError) {
      return try await store.commit([change])[change.session]
    } catch {
      return error
    }
  }
}
