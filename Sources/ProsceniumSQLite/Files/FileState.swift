// SPDX-License-Identifier: Apache-2.0

import Proscenium

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What is at a path: which file it is, and by what it is seen that it was changed.
///
/// It is asked for by the path, so that no file is opened.
struct FileState: Equatable {
  private let device: dev_t
  private let number: ino_t
  private let mode: mode_t
  private let seconds: Int
  private let nanoseconds: Int

  /// The number of bytes.
  let size: Int
  /// How many names the file has.
  let links: Int

  /// Asks for the file at the end of all links, or returns `nil` if there is none.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
    mode = status.st_mode
    size = Int(status.st_size)
    links = Int(status.st_nlink)
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }

  /// What it is, in words; `nil` for an ordinary file.
  var otherKind: String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Whether a path is a link, wherever it leads.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}

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
