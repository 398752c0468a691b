// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumPredicate

@Suite struct PredicateFormatErrorTests {
  @Test func `an error prints its code, its place and its sentence`() {
    let error = PredicateFormatError(.syntax, "An operator was expected.", position: 5)
    #expect(error.description == "syntax at byte 5: An operator was expected.")
    #expect(error != PredicateFormatError(.syntax, "An operator was expected."))
  }
}
