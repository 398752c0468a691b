// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The address of a node of the index; zero is nowhere.
///
/// Nodes are shared between one writer and readers without a lock. So they lie in memory that the
/// index manages itself, and are named by addresses that fit into an atomic word: a reader that
/// follows one counts no references, which would make two readers fight over a cache line.
///
/// Everything in such a node is a `let`, atomic where it changes, or the address of what only the
/// writer looks into: to mutate a node would be to claim it for oneself alone.
@safe
struct Address<Node: ~Copyable>: Sendable, Hashable {
  let bits: UInt

  static var none: Address { Address(bits: 0) }

  @inline(__always)
  init(bits: UInt) {
    self.bits = bits
  }

  @inline(__always)
  init(_ pointer: UnsafeMutablePointer<Node>) {
    bits = UInt(bitPattern: pointer)
  }

  /// Reads an address that another thread may be storing.
  @inline(__always)
  init(_ word: borrowing Atomic<UInt>) {
    bits = word.load(ordering: .acquiring)
  }

  @inline(__always)
  var isNone: Bool { bits == 0 }

  /// The node; the caller has made sure that there is one and that it is not freed.
  @inline(__always)
  var node: UnsafeMutablePointer<Node> {
    unsafe UnsafeMutablePointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// Makes a node on cache lines of its own: one that changes often beside what is only read.
  static func allocateApart(_ node: consuming Node) -> Address {
    let lines = 128
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (MemoryLayout<Node>.size + lines - 1) / lines * lines, alignment: lines)
    let pointer = unsafe memory.bindMemory(to: Node.self, capacity: 1)
    unsafe pointer.initialize(to: node)
    return unsafe Address(pointer)
  }

  /// Gives the memory back.
  func free() {
    unsafe UnsafeMutableRawPointer(node).deallocate()
  }
}
