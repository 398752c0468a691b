// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPredicate

/// A case of the predicate language: a format that is refused, or what its predicate does.
struct PredicateCase: RoutingSuite.Case {
  private struct Fields: Decodable {
    let id: String
    let kind: RoutingSuite.Kind
    let basis: RoutingSuite.Basis
    let format: SuiteText
    let arguments: [SuiteArgument]?
    let error: Refusal?
    let subject: SuiteText?
    let result: Bool?
    let canonical: SuiteText?
    let note: String?
  }

  private struct Refusal: Decodable, CustomStringConvertible {
    let code: ErrorCode
    let position: SuiteCount?

    var description: String { "\(code)" + (position.map { " at byte \($0.value)" } ?? "") }

    func matches(_ error: PredicateFormatError) -> Bool {
      error.code.description == code.rawValue
        && (position == nil || position?.value == error.position)
    }
  }

  private enum ErrorCode: String, JSONWord {
    case syntax, operatorNotAllowed, keyPathNotAllowed, variableNotAllowed, functionNotAllowed
    case typeMismatch, argument, limitExceeded, blockNotAllowed
  }

  private let fields: Fields

  var id: String { fields.id }
  var note: String? { fields.note }

  init(from decoder: any Decoder) throws {
    fields = try Fields(from: decoder)
    if fields.error != nil {
      try decoder.json.checkKeys("id", "kind", "basis", "format", "arguments", "error", "note")
    } else {
      for key in ["subject", "result"] { _ = try decoder.json.member(key) }
    }
  }

  func difference() -> String? {
    let predicate: ContentPredicate
    do {
      predicate = try ContentPredicate(
        format: fields.format.string, arguments: (fields.arguments ?? []).map(\.value))
    } catch {
      guard let expected = fields.error else { return "expected a predicate, got \(error)" }
      return expected.matches(error) ? nil : "expected \(expected), got \(error)"
    }
    if let expected = fields.error {
      return "expected \(expected), got the predicate \(JSONValue.excerpt(predicate.description))"
    }
    return Self.difference(
      predicate, canonical: fields.canonical?.string, subject: fields.subject?.string ?? "",
      result: fields.result == true)
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
