// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPredicate

/// A condition of a scene, as the program sets it and as the runtime evaluates it.
struct ContentCondition {
  let predicate: NSPredicate
  let content: ContentPredicate

  @MainActor static let always = ContentCondition(.true)
  @MainActor static let never = ContentCondition(.false)

  /// Makes the condition of the runtime's predicate.
  init(_ content: ContentPredicate) {
    self.content = content
    predicate =
      content == .true || content == .false
      ? NSPredicate(value: content == .true) : NSPredicate(content)
  }

  /// Makes the condition of a program's predicate.
  ///
  /// - Throws: `PredicateFormatError` if the predicate is none that a scene may have (R-PR-1).
  init(_ predicate: NSPredicate) throws {
    self.predicate = predicate
    content = try predicate.contentPredicate()
  }
}
