// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium

/// Lets a connection that reads keep its mapping of the database file from one state of the
/// database to the next.
///
/// SQLite unmaps the file whenever a connection begins to see another state, and maps it again at
/// the next look: beside a writer that commits twenty times a second, a tenth of a program's time
/// was spent on pages that were there a moment before. There is no need to: the mapping is shared,
/// so that it always shows what the file has, and a page beyond its end is read in the ordinary
/// way. It is renewed when this has happened often enough.
///
/// SQLite asks for no page that is not in the file, and a store's file never becomes shorter.
@safe
struct KeptMapping: Sendable {
  /// How many looks beyond the mapping's end renew it.
  private static let missLimit = 1_024

  /// What the file's functions find: SQLite knows the address of the first field alone.
  @unsafe
  private struct Methods {
    var own: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
    /// How often a page was not in the mapping.
    var misses = 0
  }

  private let address: UInt

  /// Takes over the mapping of a connection that was just opened, or returns `nil` where SQLite
  /// maps no files.
  init?(_ connection: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        == SQLITE_OK,
      let file = unsafe file, let original = unsafe file.pointee.pMethods,
      // Mapping came with version 3 of the functions.
      unsafe original.pointee.iVersion >= 3, unsafe original.pointee.xFetch != nil,
      unsafe original.pointee.xUnfetch != nil,
      unsafe MemoryLayout<Methods>.offset(of: \.own) == 0
    else { return nil }
    let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: Methods(own: original.pointee, original: original))
    unsafe methods.pointee.own.xFetch = { file, offset, count, page in
      let methods = unsafe KeptMapping.methods(of: file)
      let code = unsafe methods.pointee.original.pointee.xFetch(file, offset, count, page)
      if unsafe page?.pointee == nil { unsafe methods.pointee.misses += 1 }
      return code
    }
    unsafe methods.pointee.own.xUnfetch = { file, offset, page in
      let methods = unsafe KeptMapping.methods(of: file)
      if unsafe page == nil {
        // No page of it is in use: it could be given back.
        guard unsafe methods.pointee.misses >= KeptMapping.missLimit else { return SQLITE_OK }
        unsafe methods.pointee.misses = 0
      }
      return unsafe methods.pointee.original.pointee.xUnfetch(file, offset, page)
    }
    unsafe file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(
      to: sqlite3_io_methods.self)
    address = UInt(bitPattern: methods)
  }

  /// Gives back what it takes; the connection is closed by now.
  func end() {
    unsafe UnsafeMutablePointer<Methods>(bitPattern: address)?.deallocate()
  }

  private static func methods(
    of file: UnsafeMutablePointer<sqlite3_file>?
  ) -> UnsafeMutablePointer<Methods> {
    // SQLite calls a file's functions with the file, whose functions these are.
    unsafe UnsafeMutableRawPointer(
      mutating: UnsafeRawPointer(file.unsafelyUnwrapped.pointee.pMethods)
    ).assumingMemoryBound(to: Methods.self)
  }
}
