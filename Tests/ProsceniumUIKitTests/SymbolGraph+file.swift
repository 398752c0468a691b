// SPDX-License-Identifier: Apache-2.0

extension SymbolGraph {
  /// What is read of a file of the tool.
  struct File: Decodable {
    let symbols: [Entry]
    let relationships: [Relationship]

    struct Relationship: Decodable {
      let kind: String
      let source: String
      let target: String
    }

    struct Entry: Decodable {
      let identifier: Identifier
      let kind: Kind
      let pathComponents: [String]
      let declarationFragments: [Fragment]
      let location: Location?

      struct Identifier: Decodable {
        let precise: String
      }

      struct Kind: Decodable {
        let identifier: String
      }

      struct Fragment: Decodable {
        let kind: String
        let spelling: String
      }

      struct Location: Decodable {
        let uri: String
      }

      var name: String { pathComponents.joined(separator: ".") }

      var isType: Bool {
        ["swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.actor"]
          .contains(kind.identifier)
      }

      /// What the declaration itself says, in the words before its name; those after it are about
      /// parameters.
      var isolation: Isolation? {
        let head = declarationFragments.prefix {
          $0.kind == "attribute" || $0.kind == "text" || $0.spelling == "nonisolated"
        }
        if head.contains(where: { $0.spelling == "MainActor" }) { return .mainActor }
        return head.contains { $0.spelling == "nonisolated" } ? .nonisolated : nil
      }
    }
  }
}
