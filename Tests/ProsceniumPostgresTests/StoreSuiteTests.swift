// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumTestKit
  import Testing

  /// What every store has to do, on PostgreSQL.
  @Suite(.timeLimit(.minutes(10))) struct StoreSuiteTests {
    static let checks = SessionStoreSuite {
      try await OpenedStore(TestDatabase.make())
    } reopen: { opened in
      try await opened.store.close()
      return try OpenedStore(opened.database)
    } crash: { opened in
      await opened.store.abandon()
      return try OpenedStore(opened.database)
    }.checks

    @Test(arguments: checks)
    func `the store does what every store has to`(check: SessionStoreCheck) async {
      let failures = await check.failures()
      #expect(failures == [])
    }
  }
#endif
