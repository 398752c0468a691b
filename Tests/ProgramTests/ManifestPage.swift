// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The example of Docs/MANIFEST.md: a file, and what the program shows of it.
struct ManifestPage {
  let file: String
  let table: String
  let json: String

  init(filePath: String = #filePath) throws {
    let root = URL(fileURLWithPath: filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/MANIFEST.md"), encoding: .utf8)
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    let blocks = parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let first = { (language: String) in
      blocks.first { $0.hasPrefix("\(language)\n") }.map {
        String($0.dropFirst(language.count + 1))
      }
    }
    file = first("xml") ?? ""
    table = first("") ?? ""
    json = first("json") ?? ""
  }

  /// A file of the same name, with the name replaced by where it is.
  func table(at path: String) -> String {
    table.replacing("Info.plist", with: path, maxReplacements: 1)
  }

  /// The same for JSON, on one line as the program writes it.
  func json(at path: String) -> String {
    let lines = json.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.joined(separator: " ")
      .replacing("{ ", with: "{").replacing("[ ", with: "[")
      .replacing("Info.plist", with: path, maxReplacements: 1) + "\n"
  }
}
