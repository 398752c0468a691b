// SPDX-License-Identifier: Apache-2.0

/// Sizes that a reader can hold: one idea a file, one thought a function, no sideways scrolling.
extension Rule {
  static let fileLength = Rule("file length", appliesTo: { $0.isSwift || $0.isC || $0.isScript }) {
    file, _ in
    let most = 400
    guard file.lines.count > most else { return [] }
    let message = "\(file.lines.count) lines, \(most) at most: give one of its ideas its own file"
    return [file.violation(line: most + 1, "file length", message)]
  }

  static let lineLength = Rule("line length", appliesTo: { $0.isSwift || $0.isC || $0.isScript }) {
    file, _ in
    let most = 100
    return file.violations(in: file.lines, "line length", "\(most) columns at most") {
      // An address cannot be broken.
      $0.utf8.count > most && $0.count > most && !$0.contains("://")
    }
  }

  static let functionLength = Rule("function length", appliesTo: \.isSwift) { file, _ in
    let most = 70
    return file.code.indices.compactMap { start in
      guard let end = lastLine(ofFunctionAt: start, in: file.code), end - start + 1 > most else {
        return nil
      }
      let message = "\(end - start + 1) lines, \(most) at most: name one of its parts"
      return file.violation(line: start + 1, "function length", message)
    }
  }

  /// The last line of the function that is declared on line `start`, or nil where none is, or where
  /// it has no body.
  private static func lastLine(ofFunctionAt start: Int, in code: [String]) -> Int? {
    guard declaresFunction(code[start]) else { return nil }
    var brackets = 0
    var braces = 0
    for index in code[start...].indices {
      for byte in code[index].utf8 {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["): brackets += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): brackets -= 1
        // A brace inside brackets belongs to a default value or an argument.
        case UInt8(ascii: "{") where brackets == 0: braces += 1
        case UInt8(ascii: "}") where brackets == 0:
          braces -= 1
          if braces == 0 { return index }
        default: break
        }
      }
      if braces == 0, brackets == 0, !continuesDeclaration(code.dropFirst(index + 1).first) {
        return nil
      }
    }
    return nil
  }

  private static func declaresFunction(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "private", "fileprivate", "static", "class", "final",
      "override", "mutating", "nonmutating", "consuming", "borrowing", "nonisolated", "isolated",
      "convenience", "required", "indirect",
    ]
    let head = words.first { !modifiers.contains($0) && !$0.hasPrefix("@") }
    guard let head else { return false }
    return head == "func" || head == "deinit"
      || ["init(", "init?(", "init<", "subscript(", "subscript<"].contains { head.hasPrefix($0) }
  }

  private static func continuesDeclaration(_ line: String?) -> Bool {
    guard let word = line?.split(separator: " ").first else { return false }
    return ["{", "where", "->", "async", "throws", "rethrows"].contains { word.hasPrefix($0) }
  }
}
