// SPDX-License-Identifier: Apache-2.0

/// A condition on a target content identifier, such as `SELF BEGINSWITH "a/"`.
///
/// Scenes say with such predicates which content they can show and which they prefer. A predicate
/// is a value: it can be stored, compared, printed and evaluated on any thread. It is made of a
/// format (``init(format:_:)``) or by functions such as `equals` and ``any(of:)``; both give the
/// same predicates.
///
/// Every refusal happens when a predicate is made (R-PR-1), so a predicate that exists is always
/// within the limits (R-PR-3): its canonical string has at most 4,096 UTF-8 bytes, and it has at
/// most 64 comparisons and constants.
///
/// Two predicates are equal if their canonical strings are the same, byte for byte. Predicates
/// that merely have the same meaning are not: `a OR b` differs from `b OR a`.
public struct ContentPredicate: Sendable {
  /// The predicate in one word; the constants allocate nothing.
  let form: Form

  enum Form: Sendable {
    case constant(Bool)
    /// The flat form of any other predicate.
    case program(ContiguousArray<UInt8>)
  }

  init(form: Form) {
    self.form = form
  }

  /// Makes a predicate of a flat form within the limits.
  init(code: Span<UInt8>) {
    if code.count == 1 {
      form = .constant(code[0] == PredicateCode.constant(true))
      return
    }
    var bytes = ContiguousArray<UInt8>()
    // Exactly as much as is needed: predicates are kept for as long as sessions.
    bytes.reserveCapacity(code.count)
    for index in code.indices { bytes.append(code[index]) }
    form = .program(bytes)
  }

  /// The predicate that holds for every identifier, `TRUEPREDICATE`.
  public static var `true`: ContentPredicate { ContentPredicate(form: .constant(true)) }

  /// The predicate that holds for no identifier, `FALSEPREDICATE`.
  public static var `false`: ContentPredicate { ContentPredicate(form: .constant(false)) }
}

extension ContentPredicate: Hashable {
  /// Tells whether two predicates have the same canonical string.
  ///
  /// - Parameters:
  ///   - left: A predicate.
  ///   - right: Another predicate.
  /// - Returns: Whether they are equal.
  public static func == (left: ContentPredicate, right: ContentPredicate) -> Bool {
    switch (left.form, right.form) {
    case (.constant(let left), .constant(let right)): left == right
    case (.program(let left), .program(let right)): ByteText.equal(left.span, right.span)
    default: false
    }
  }

  /// Feeds the predicate into a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    switch form {
    case .constant(let value): hasher.combine(value)
    case .program(let code):
      unsafe code.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    }
  }
}
