// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

@main struct Predicates {
  static func main() throws {
    let inbox = ContentPredicate.equals("inbox")
    let notes = ContentPredicate.hasPrefix("notes/", options: .caseInsensitive)
    let both = try inbox || notes
    print(both)

    let sections = ["news", "sport"]
    let archived = try ContentPredicate(
      format: "SELF IN %@ OR SELF LIKE %@", sections, "archive/????/*")
    print(archived)

    for identifier in ["sport", "archive/2026/11/21", "Sport"] {
      print(identifier, archived.evaluate(identifier))
    }

    let typed = try ContentPredicate(format: "self = 'a' || (self == %@)", "b")
    let built = try ContentPredicate.any(of: [.equals("a"), .equals("b")])
    print(typed == built, typed)

    let format = "SELF BEGINWITH 'news/'"
    do {
      print(try ContentPredicate(format: format))
    } catch {
      print(error.rendered(in: format))
    }
  }
}
