// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import Testing

  @Suite struct ServingPermitTests {
    @Test func `an application at its end serves, whatever becomes of its node`() {
      let permit = ServingPermit { .seconds(1) }
      permit.extend(until: .seconds(2))
      permit.lift()
      permit.end(at: .zero)
      permit.extend(until: .zero)
      #expect(permit.isValid)
    }
  }
#endif
