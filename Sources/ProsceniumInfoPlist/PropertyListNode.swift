// SPDX-License-Identifier: Apache-2.0

/// A value of a property list that knows its place, for naming what does not fit.
///
/// Unlike ``UserInfoValue`` it keeps the order of keys, and keys that are there twice. Of what
/// no manifest has, such as dates, only the name of the type is kept.
struct PropertyListNode: Sendable {
  enum Value: Sendable {
    case string(String)
    case boolean(Bool)
    case array([PropertyListNode])
    case dictionary([(key: String, node: PropertyListNode)])
    case other(type: String)
  }

  /// How deep arrays and dictionaries may be nested: reading goes down with them, on
  /// stacks that can be small.
  static let depthLimit = 32

  let value: Value

  /// Where the value begins, in bytes from the beginning of the file.
  let offset: Int

  /// The value as part of a sentence; of a text at most its first 40 scalars.
  var summary: String {
    switch value {
    case .string(let text):
      let start = String(text.unicodeScalars.prefix(40))
      return "the string \(start.debugDescription)"
        + (start.utf8.count < text.utf8.count ? "…" : "")
    case .boolean(let value): return value ? "true" : "false"
    case .array: return "an array"
    case .dictionary: return "a dictionary"
    case .other(let type): return type
    }
  }
}
