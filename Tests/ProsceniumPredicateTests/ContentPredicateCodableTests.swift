// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateCodableTests {
  @Test(arguments: ["TRUEPREDICATE", #"NOT SELF LIKE[cd] "a*\n" AND SELF IN {"é", SELF}"#])
  func `a predicate is stored as its canonical string`(format: String) throws {
    let predicate = try ContentPredicate(format: format)
    let data = try JSONEncoder().encode([predicate])
    #expect(try JSONDecoder().decode([String].self, from: data) == [format])
    #expect(try JSONDecoder().decode([ContentPredicate].self, from: data) == [predicate])
  }

  @Test(arguments: ["SELF MATCHES 'a'", "SELF == %@", "", String(repeating: " ", count: 5_000)])
  func `a stored string that makes no predicate is corrupted data`(format: String) throws {
    let data = try JSONEncoder().encode([format])
    let refusal = #expect(throws: PredicateFormatError.self) {
      try ContentPredicate(format: format)
    }
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ContentPredicate].self, from: data)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == refusal?.description)
    #expect(context.codingPath.count == 1)
  }
}
