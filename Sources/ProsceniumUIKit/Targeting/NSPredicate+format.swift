// SPDX-License-Identifier: Apache-2.0

public import Foundation
import ProsceniumPredicate
import ProsceniumPrimitives

// Foundation on Linux has no predicates of a format: there they are made here, of blocks that
// also tell what they were made of.
extension NSPredicate {
  /// Makes a predicate of a format about `SELF` (R-PR-2).
  ///
  /// A format that says something else, or that cannot be read, makes a predicate that no scene
  /// takes, and that is false; where it is used, the device's next call throws a fault that says
  /// what is wrong with the format.
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - arguments: What its `%@` and `%K` mean.
  public convenience init(format predicateFormat: String, _ arguments: Any...) {
    self.init(format: predicateFormat, argumentArray: arguments)
  }

  /// Makes a predicate of a format about `SELF` (R-PR-2).
  ///
  /// - Parameters:
  ///   - predicateFormat: The format.
  ///   - arguments: What its `%@` and `%K` mean.
  public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    let arguments = (arguments ?? []).map(PredicateArgument.value)
    let content = Result { () throws(PredicateFormatError) in
      try ContentPredicate(format: predicateFormat, arguments: arguments)
    }
    self.init(content, name: predicateFormat)
  }

  /// Makes a predicate that is evaluated by the runtime's.
  convenience init(_ content: ContentPredicate) {
    self.init(.success(content), name: content.description)
  }

  private convenience init(_ content: Result<ContentPredicate, PredicateFormatError>, name: String)
  {
    self.init { object, bindings in
      if let question = bindings?[ContentQuestion.key] as? ContentQuestion {
        question.answer(content)
        return false
      }
      switch content {
      case .success(let content): return (object as? String).map(content.evaluate) ?? false
      case .failure(let error):
        Faults.note("NSPredicate(format: \"\(name)\"): \(error)")
        return false
      }
    }
  }

  /// What the runtime evaluates instead of the predicate.
  ///
  /// - Returns: A predicate with the same meaning.
  /// - Throws: `PredicateFormatError` if there is none.
  func contentPredicate() throws -> ContentPredicate {
    if let compound = self as? NSCompoundPredicate {
      let parts = try compound.subpredicates.map { try $0.contentPredicate() }
      switch compound.compoundPredicateType {
      case .and: return try .all(of: parts)
      case .or: return try .any(of: parts)
      case .not: return try parts.first.map { try !$0 } ?? .true
      }
    }
    for constant in [true, false] where isEqual(NSPredicate(value: constant)) {
      return constant ? .true : .false
    }
    // A block that was made here answers; any other sees an ordinary text.
    let question = ContentQuestion()
    _ = evaluate(with: "", substitutionVariables: [ContentQuestion.key: question])
    guard let content = question.content else { throw BlockPredicateError() }
    return try content.get()
  }
}

/// A predicate with a block of the program, which cannot be evaluated while it does not run.
struct BlockPredicateError: Error, CustomStringConvertible {
  var description: String {
    "expected a predicate that is kept while the program does not run, such as one of a format, "
      + "found one with a block"
  }
}

/// Asks a predicate what it was made of.
final class ContentQuestion: Sendable {
  static let key = "proscenium.content"

  private let answered = Guarded<Result<ContentPredicate, PredicateFormatError>?>(nil)

  var content: Result<ContentPredicate, PredicateFormatError>? { answered.withLock { $0 } }

  func answer(_ content: Result<ContentPredicate, PredicateFormatError>) {
    answered.withLock { $0 = content }
  }
}

/// What a format's `%@` means, of a type that the runtime's predicates take.
enum PredicateArgument {
  static func value(_ object: Any) -> any Sendable {
    switch object {
    case let text as String: text
    case let number as Int: number
    case let number as Double: number
    case let url as URL: url.absoluteString
    case let values as [Any]: values.map(value)
    case let values as Set<AnyHashable>: values.map { value($0.base) }
    default: "\(object)"
    }
  }
}
