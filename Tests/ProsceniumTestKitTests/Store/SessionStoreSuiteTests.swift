// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
import Testing

@Suite struct SessionStoreSuiteTests {
  private static let inMemory = SessionStoreSuite {
    InMemorySessionStore()
  } reopen: { store in
    store.copy()
  } crash: { store in
    store.copy()
  }

  private static func suite(_ fault: FaultyStore.Fault?) -> SessionStoreSuite<FaultyStore> {
    SessionStoreSuite {
      FaultyStore(fault)
    } reopen: { store in
      try await store.reopened()
    } crash: { store in
      try await store.crashed()
    }
  }

  @Test(arguments: inMemory.checks)
  func `the store in memory passes`(check: SessionStoreCheck) async {
    let failures = await check.failures()
    #expect(failures.isEmpty)
  }

  @Test func `a store around one without a fault passes`() async {
    let report = await Self.suite(nil).run()
    #expect(report.failed.isEmpty, "\(report)")
  }

  @Test(arguments: FaultyStore.Fault.allCases)
  func `each fault is found`(fault: FaultyStore.Fault) async throws {
    let checks = Self.suite(fault).checks.filter { $0.name.hasPrefix(fault.check) }
    #expect(checks.count == 1)
    let failures = try await #require(checks.first).failures()
    #expect(!failures.isEmpty)
    #expect(failures.count <= SessionStoreCheck.failureLimit)
  }

  @Test func `each check is needed to find some fault`() {
    for check in Self.inMemory.checks {
      #expect(FaultyStore.Fault.allCases.contains { check.name.hasPrefix($0.check) })
    }
  }

  @Test func `a check without a crash is skipped, and the report counts`() async {
    let suite = SessionStoreSuite {
      FaultyStore(.losesSubtitle)
    } reopen: { store in
      try await store.reopened()
    }
    let report = await suite.run()
    #expect(report.skippedCount == 1)
    #expect(report.failed.count == suite.checks.count - 1 - report.passedCount)
    #expect(report.passedCount > 10)
    let failure = report.failed.first { $0.name.hasPrefix("every field") }?.failures.first
    #expect(
      failure
        == "after a load, of 00000000-0000-4000-8000-000000000001 subtitle is nil, "
        + "not \"subtitle 1\"")
    #expect(report.description.hasPrefix("\(report.passedCount) passed, "))
  }

  @Test func `a store that cannot be made fails every check`() async {
    let suite = SessionStoreSuite { () throws -> InMemorySessionStore in
      throw StoreError(.full, "planted")
    } reopen: {
      $0
    }
    let report = await suite.run()
    #expect(report.passedCount == 0)
    #expect(report.failed.count == suite.checks.count - 1)
  }
}
