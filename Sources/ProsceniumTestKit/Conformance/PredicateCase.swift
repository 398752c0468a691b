// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

/// A case of the predicate language: a format that is refused, or what its predicate does.
struct PredicateCase: Sendable {
  private let format: SuiteText
  private let arguments: [SuiteArgument]
  private let expectation: Expectation

  private enum Expectation {
    case error(ErrorCode, position: Int?)
    case result(Bool, subject: SuiteText, canonical: SuiteText?)
  }

  private enum ErrorCode: String, CaseIterable {
    case syntax, operatorNotAllowed, keyPathNotAllowed, variableNotAllowed, functionNotAllowed
    case typeMismatch, argument, limitExceeded, blockNotAllowed
  }

  init(_ node: JSONNode) throws(JSONFileError) {
    if let error = try node.optional("error") {
      try node.checkKeys("id", "kind", "basis", "format", "arguments", "error", "note")
      try error.checkKeys("code", "position")
      expectation = .error(
        try error.member("code").word(ErrorCode.self),
        position: try error.optional("position")?.integer(in: 0...SuiteText.byteLimit))
    } else {
      try node.checkKeys(
        "id", "kind", "basis", "format", "arguments", "canonical", "subject", "result", "note")
      guard let result = try node.optional("result") else {
        throw node.failure(.missingKey, "the key \"result\" or \"error\"", found: "neither")
      }
      expectation = .result(
        try result.bool(), subject: try SuiteText(node.member("subject")),
        canonical: try node.optional("canonical").map(SuiteText.init))
    }
    format = try SuiteText(node.member("format"))
    var arguments: [SuiteArgument] = []
    for argument in try node.optional("arguments")?.elements() ?? [] {
      arguments.append(try SuiteArgument(argument))
    }
    self.arguments = arguments
  }

  /// Runs the case and says what differs, or nil.
  func difference() -> String? {
    let predicate: ContentPredicate
    do {
      predicate = try ContentPredicate(
        format: format.string, arguments: arguments.map(\.value))
    } catch {
      return difference(error)
    }
    switch expectation {
    case .error(let code, let position):
      let place = position.map { " at byte \($0)" } ?? ""
      return "expected \(code.rawValue)\(place), got the predicate "
        + JSONValue.excerpt(predicate.description)
    case .result(let result, let subject, let canonical):
      return Self.difference(
        predicate, canonical: canonical?.string, subject: subject.string, result: result)
    }
  }

  private func difference(_ error: PredicateFormatError) -> String? {
    guard case .error(let code, let position) = expectation else {
      return "expected a predicate, got \(error)"
    }
    if error.code.description == code.rawValue, position == nil || position == error.position {
      return nil
    }
    let place = position.map { " at byte \($0)" } ?? ""
    return "expected \(code.rawValue)\(place), got \(error)"
  }

  private static func difference(
    _ predicate: ContentPredicate, canonical expected: String?, subject: String, result: Bool
  ) -> String? {
    let canonical = predicate.description
    var differences: [String] = []
    if let expected, !canonical.utf8.elementsEqual(expected.utf8) {
      differences.append(
        "expected the canonical string \(JSONValue.excerpt(expected)), "
          + "got \(JSONValue.excerpt(canonical))")
    }
    if predicate.evaluate(subject) != result {
      differences.append(
        "expected \(result) for \(JSONValue.excerpt(subject)), got \(!result) "
          + "from \(JSONValue.excerpt(canonical))")
    }
    do {
      let again = try ContentPredicate(format: canonical, arguments: [])
      if !again.description.utf8.elementsEqual(canonical.utf8) {
        differences.append(
          "expected \(JSONValue.excerpt(canonical)) to stay as it is when it is parsed again, "
            + "got \(JSONValue.excerpt(again.description))")
      }
      if again.evaluate(subject) != result {
        differences.append(
          "expected \(result) for \(JSONValue.excerpt(subject)), got \(!result) "
            + "from the canonical string parsed again")
      }
    } catch {
      differences.append(
        "expected the canonical string \(JSONValue.excerpt(canonical)) to be a format, "
          + "got \(error)")
    }
    return differences.isEmpty ? nil : differences.joined(separator: "; ")
  }
}
