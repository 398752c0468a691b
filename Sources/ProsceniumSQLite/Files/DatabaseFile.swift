// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the first bytes of a file say of it, where SQLite refuses it without a reason.
enum DatabaseFile {
  /// Says why a file cannot be read as a database.
  ///
  /// The file is opened and closed, so that nothing in the process may have it open by then.
  ///
  /// - Returns: The sentence, or `nil` if the file's length and first bytes are as they should be.
  static func complaint(about path: String) -> String? {
    guard let file = try? ReadOnlyFile(path), let head = try? file.read(100, at: 0),
      let size = try? file.size()
    else { return nil }
    guard head.starts(with: Array("SQLite format 3\0".utf8).prefix(max(head.count, 1))) else {
      return "\(path): expected a store, found a file that is no database."
    }
    func number(_ offset: Int, _ count: Int) -> Int {
      head[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    guard head.count == 100 else {
      return "\(path): expected a whole page, found \(size) bytes: the file was cut off."
    }
    let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
    let expected = number(28, 4) * pageSize
    guard size < expected else { return nil }
    return "\(path): expected \(expected) bytes, found \(size): the file was cut off."
  }
}
