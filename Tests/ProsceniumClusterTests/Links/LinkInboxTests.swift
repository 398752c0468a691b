// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster
  import Testing

  @Suite struct LinkInboxTests {
    @Test func `a sender that confirms nothing is refused until it does`() throws {
      var inbox = LinkInbox()
      for _ in 0..<LinkInbox.limit / 1_024 {
        let first = try #require(inbox.answer()?.last) + 1
        _ = try inbox.begin(first: first, count: 1_024, confirmed: 0)
        for _ in 0..<1_024 { _ = inbox.receive(of: 7, restarts: false, refusal: .notOpen) }
      }
      let last = UInt64(LinkInbox.limit)
      let fault = #expect(throws: LinkFault.self) {
        try inbox.begin(first: last + 1, count: 1, confirmed: 0)
      }
      #expect(fault?.description == "expected at most 262144 items that are not confirmed")
      #expect(try inbox.begin(first: last + 1, count: 1, confirmed: last) == 0)
    }
  }
#endif
