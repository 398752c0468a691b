// SPDX-License-Identifier: Apache-2.0

/// The folded forms of one subject, each computed at most once however many comparisons ask.
package struct FoldedSubject {
  private var byCase: ContiguousArray<UInt8>?
  private var byDiacritics: ContiguousArray<UInt8>?
  private var byBoth: ContiguousArray<UInt8>?

  package init() {}

  /// Returns the folded form of the subject, which must be the same one at each call.
  package mutating func bytes(
    _ options: Comparison.Options, of subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    switch options {
    case .caseInsensitive: Self.form(&byCase, options, subject)
    case .diacriticInsensitive: Self.form(&byDiacritics, options, subject)
    default: Self.form(&byBoth, options, subject)
    }
  }

  private static func form(
    _ known: inout ContiguousArray<UInt8>?, _ options: Comparison.Options, _ subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    if let known { return known }
    let form = TextFolding.fold(subject, options)
    known = form
    return form
  }
}
