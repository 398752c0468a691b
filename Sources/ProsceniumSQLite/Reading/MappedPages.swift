// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The pages of a database's file in memory, for whoever reads them without SQLite.
///
/// They are mapped, so that they always show what the file has. A page may be written at any time,
/// also while it is read: what is read is worth as much as the seal on it. A store's file never
/// becomes shorter, and no page is touched beyond the end that it was seen to have.
@safe
final class MappedPages: Sendable {
  /// How many bytes are mapped at once, 64 MiB: what is there already stays where it is.
  private static let windowSize = 64 << 20

  /// How many windows there can be: the pages beyond 64 GiB are read by SQLite.
  private static let windowLimit = 1_024

  private static let windowPages = windowSize / StoreSchema.pageSize

  /// The open file; -1 once it was closed.
  ///
  /// It is closed after the writer's connection: whoever closes a file ends all locks that its
  /// process has there, those of SQLite as well.
  private let descriptor: Atomic<CInt>

  /// Where the addresses of the windows stand.
  private let address: UInt

  /// The addresses of the windows; 0 for one that is not mapped.
  private var windows: UnsafeMutablePointer<Atomic<UInt>> {
    // Made at the beginning and freed at the end.
    unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// How many pages can be read.
  private let count = Atomic<UInt32>(0)

  /// Opens a file, or returns `nil` if the system refuses.
  init?(_ path: String) {
    descriptor = Atomic(unsafe open(path, O_RDONLY | O_CLOEXEC))
    let windows = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: Self.windowLimit)
    address = UInt(bitPattern: windows)
    for index in 0..<Self.windowLimit {
      unsafe (windows + index).initialize(to: Atomic(0))
    }
    if descriptor.load(ordering: .relaxed) < 0 { return nil }
  }

  /// Closes the file; what is mapped stays.
  func close() {
    let open = descriptor.exchange(-1, ordering: .relaxed)
    if open >= 0 { closeDescriptor(open) }
  }

  deinit {
    close()
    for index in 0..<Self.windowLimit {
      let window = unsafe windows[index].load(ordering: .relaxed)
      if window != 0 { unsafe munmap(UnsafeMutableRawPointer(bitPattern: window), Self.windowSize) }
    }
    unsafe windows.deinitialize(count: Self.windowLimit)
    unsafe windows.deallocate()
  }

  /// Takes in by how much the file has grown; not from two threads at once.
  func grow() {
    let descriptor = descriptor.load(ordering: .relaxed)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return }
    var size = Int(status.st_size) / StoreSchema.pageSize * StoreSchema.pageSize
    for index in 0..<Self.windowLimit where index * Self.windowSize < size {
      if unsafe windows[index].load(ordering: .relaxed) != 0 { continue }
      let window = unsafe mmap(
        nil, Self.windowSize, PROT_READ, MAP_SHARED, descriptor, off_t(index * Self.windowSize))
      guard let window = unsafe window, unsafe window != MAP_FAILED else {
        size = index * Self.windowSize
        break
      }
      unsafe windows[index].store(UInt(bitPattern: window), ordering: .relaxed)
    }
    size = min(size, Self.windowLimit * Self.windowSize)
    count.store(UInt32(size / StoreSchema.pageSize), ordering: .releasing)
  }

  /// Calls a function with the bytes of a page; they may change meanwhile.
  ///
  /// - Parameters:
  ///   - number: The page's number, from 1 on.
  ///   - body: What is done with the bytes.
  /// - Returns: What `body` returned, or `nil` if the page cannot be read.
  @inline(__always)
  func withPage<Result>(_ number: UInt32, _ body: (RawSpan) -> Result?) -> Result? {
    guard number > 0, number <= count.load(ordering: .acquiring) else { return nil }
    let (window, page) = Int(number - 1).quotientAndRemainder(dividingBy: Self.windowPages)
    let address = unsafe windows[window].load(ordering: .relaxed)
    let start = unsafe UnsafeRawPointer(
      bitPattern: address + UInt(page * StoreSchema.pageSize))
    // The mapping goes with the last reference.
    return withExtendedLifetime(self) {
      unsafe body(UnsafeRawBufferPointer(start: start, count: StoreSchema.pageSize).bytes)
    }
  }
}

/// The system's function, which a method hides.
private func closeDescriptor(_ descriptor: CInt) {
  close(descriptor)
}
