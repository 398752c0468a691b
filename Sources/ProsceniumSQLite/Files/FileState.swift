// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What stands at a path: which file it is, and by what it is seen that it was changed.
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
