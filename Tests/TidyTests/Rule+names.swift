// SPDX-License-Identifier: Apache-2.0

/// A file is found by the name of what it declares.
extension Rule {
  static let fileName = Rule(
    "file name",
    appliesTo: { $0.isSwift && !["main.swift", "Package.swift"].contains($0.name) }
  ) { file, _ in
    let name = file.name.prefix { $0 != "." && $0 != "+" }
    // The file of a nested type Outer.Inner is called OuterInner.
    let capitals = name.indices.dropFirst().filter { name[$0].isUppercase }
    let isFound =
      try declares(name, in: file)
      || capitals.contains { index in
        try declares(name[..<index], in: file) && declares(name[index...], in: file)
      }
    guard !isFound else { return [] }
    let message = "declares no \(name): a file has the name of its main type, or Type+feature"
    return [file.violation(line: 1, "file name", message)]
  }

  private static func declares(_ name: Substring, in file: SourceFile) throws -> Bool {
    let kinds = "class|struct|enum|actor|protocol|extension|typealias|macro|func|let|var"
    let pattern = try simpleRegex("\\b(?:\(kinds))\\s+(?:\\w+\\.)*\(name)\\b")
    return file.code.contains { $0.contains(name) && $0.contains(pattern) }
  }
}
