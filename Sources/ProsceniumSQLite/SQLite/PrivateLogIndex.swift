// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium

/// Lets a connection that reads keep the index of the log in memory of its own.
///
/// SQLite keeps it in a file beside the log, which it makes where there is none, and writes anew
/// where no process has it open: whoever only looks would have to be allowed to write, and would
/// destroy what the file tells of damage in the log. Nothing holds a program back that begins to
/// write meanwhile: what was read counts if the database's file has not changed by then.
@safe
struct PrivateLogIndex: Sendable {
  /// How many parts an index has at most, each for 4,096 pages in the log: 128 GiB of them.
  private static let partLimit = 4_096

  /// What the file's functions find: SQLite knows the address of the first field alone.
  @unsafe
  private struct Methods {
    var own: sqlite3_io_methods
    let parts: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  }

  private let address: UInt

  /// Takes over the index of a connection that was just opened, or returns `nil` where SQLite keeps
  /// none.
  init?(_ connection: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        == SQLITE_OK,
      let file = unsafe file, let original = unsafe file.pointee.pMethods,
      // The index came with version 2 of the functions.
      unsafe original.pointee.iVersion >= 2, unsafe original.pointee.xShmMap != nil,
      unsafe MemoryLayout<Methods>.offset(of: \.own) == 0
    else { return nil }
    let parts = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Self.partLimit)
    unsafe parts.initialize(repeating: nil, count: Self.partLimit)
    let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
    unsafe methods.initialize(to: Methods(own: original.pointee, parts: parts))
    unsafe methods.pointee.own.xShmMap = { file, number, size, isMade, part in
      unsafe PrivateLogIndex.map(file, Int(number), Int(size), isMade != 0, part)
    }
    // Nobody else has it.
    unsafe methods.pointee.own.xShmLock = { _, _, _, _ in SQLITE_OK }
    unsafe methods.pointee.own.xShmBarrier = { _ in }
    unsafe methods.pointee.own.xShmUnmap = { _, _ in SQLITE_OK }
    unsafe file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(
      to: sqlite3_io_methods.self)
    address = UInt(bitPattern: methods)
  }

  /// Gives back what it takes; the connection is closed by now.
  func end() {
    guard let methods = unsafe UnsafeMutablePointer<Methods>(bitPattern: address) else { return }
    let parts = unsafe methods.pointee.parts
    for number in 0..<Self.partLimit { unsafe parts[number]?.deallocate() }
    unsafe parts.deallocate()
    unsafe methods.deallocate()
  }

  /// Gives SQLite a part of the index, and makes it if that is wanted.
  private static func map(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ number: Int, _ size: Int, _ isMade: Bool,
    _ part: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> CInt {
    guard number < partLimit else { return SQLITE_NOMEM }
    // SQLite calls a file's functions with the file, whose functions these are.
    let parts = unsafe UnsafeRawPointer(file.unsafelyUnwrapped.pointee.pMethods)
      .assumingMemoryBound(to: Methods.self).pointee.parts
    if unsafe parts[number] == nil, isMade {
      let made = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      unsafe made.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      unsafe parts[number] = made
    }
    unsafe part?.pointee = parts[number]
    return SQLITE_OK
  }
}
