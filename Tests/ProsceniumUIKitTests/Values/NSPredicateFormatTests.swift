// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPredicate
import Testing

@testable import ProsceniumUIKit

@MainActor struct NSPredicateFormatTests {
  @Test(arguments: [
    ("SELF == 'a'", "SELF == \"a\""),
    ("self BEGINSWITH[c] 'news/'", "SELF BEGINSWITH[c] \"news/\""),
    ("TRUEPREDICATE", "TRUEPREDICATE"),
  ])
  func `a format means what the runtime evaluates`(format: String, canonical: String) throws {
    let predicate = NSPredicate(format: format)
    #expect(try predicate.contentPredicate().description == canonical)
  }

  @Test func `arguments are strings, URLs and lists of them`() throws {
    let url = try #require(URL(string: "app://a"))
    let predicate = NSPredicate(format: "SELF == %@ OR SELF IN %@", url, ["b", "c"])
    let form = NSPredicate(format: "SELF == %@", argumentArray: ["app://a"])

    #expect(predicate.evaluate(with: "app://a"))
    #expect(predicate.evaluate(with: "c"))
    #expect(!predicate.evaluate(with: "d"))
    #expect(form.evaluate(with: "app://a"))
  }

  @Test func `compounds are put together of their parts`() throws {
    let (a, b) = (NSPredicate(format: "SELF == 'a'"), NSPredicate(value: false))
    let all = NSCompoundPredicate(andPredicateWithSubpredicates: [a, b])
    let any = NSCompoundPredicate(orPredicateWithSubpredicates: [a, b])
    let none = NSCompoundPredicate(notPredicateWithSubpredicate: a)

    #expect(try all.contentPredicate().description == "SELF == \"a\" AND FALSEPREDICATE")
    #expect(try any.contentPredicate().description == "SELF == \"a\" OR FALSEPREDICATE")
    #expect(try none.contentPredicate().description == "NOT SELF == \"a\"")
  }

  @Test func `a block is refused, and is not called with anything but a text`() {
    let predicate = NSPredicate { object, _ in (object as? String)?.isEmpty ?? false }
    #expect(throws: BlockPredicateError.self) { try predicate.contentPredicate() }
  }

  @Test(arguments: ["SELF BEGINWITH 'a'", "SELF MATCHES 'a.*'", "title == 'a'", "SELF =="])
  func `a format that no scene may have is refused where it is used`(format: String) {
    let predicate = NSPredicate(format: format)
    #expect(throws: PredicateFormatError.self) { try predicate.contentPredicate() }
  }

  @Test func `what is read of conditions means the same`() throws {
    let conditions = UISceneActivationConditions()
    #expect(conditions.canActivateForTargetContentIdentifierPredicate.evaluate(with: "a"))
    #expect(!conditions.prefersToActivateForTargetContentIdentifierPredicate.evaluate(with: "a"))

    conditions.prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(
      format: "SELF == 'a'")
    #expect(conditions.prefersToActivateForTargetContentIdentifierPredicate.evaluate(with: "a"))
    #expect(conditions.value.prefers == .equals("a"))
  }
}
