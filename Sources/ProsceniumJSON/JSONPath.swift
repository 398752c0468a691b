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
    !key.isEmpty && key.utf8.count <= 60
      && key.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
