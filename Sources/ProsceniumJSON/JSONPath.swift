// SPDX-License-Identifier: Apache-2.0

/// A place in a JSON value, such as `$.cases[12].expect.rule`.
package indirect enum JSONPath: Sendable, Hashable, CustomStringConvertible {
  case root
  case member(JSONPath, String)
  case element(JSONPath, Int)

  package var description: String {
    switch self {
    case .root: "$"
    case .element(let path, let index): "\(path)[\(index)]"
    case .member(let path, let key):
      Self.isWord(key) ? "\(path).\(key)" : "\(path)[\(JSONValue.excerpt(key))]"
    }
  }

  private static func isWord(_ key: String) -> Bool {
    (1...60).contains(key.utf8.count)
      && key.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
      }
  }
}
