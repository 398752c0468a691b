// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLinks

@Suite struct LinkAddressTests {
  @Test(arguments: [
    ("10.0.0.1:7400", "10.0.0.1", 7_400), ("node-a.example:1", "node-a.example", 1),
    ("[::1]:65535", "::1", 65_535),
  ])
  func `an address is a host and a port`(_ text: String, _ host: String, _ port: Int) {
    let address = LinkAddress(text)
    #expect(address == LinkAddress(host: host, port: port))
    #expect(address?.description == text)
  }

  @Test(arguments: [
    "", ":", "host", "host:", ":7400", "host:0", "host:65536", "host:-1", "::1:7400", "[]:1",
  ])
  func `anything else is none`(_ text: String) {
    #expect(LinkAddress(text) == nil)
  }
}
