// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A predicate that has to be evaluated before its sessions are known to match.
struct VerifiedPredicate: ~Copyable {
  /// The sessions that have the predicate.
  let posting = Posting()
  let codeByteCount: Int
  // Followed by the predicate's flat form.

  private init(codeByteCount: Int) {
    self.codeByteCount = codeByteCount
  }

  /// Makes a node for a predicate's flat form.
  static func make(_ code: ContiguousArray<UInt8>) -> Address<VerifiedPredicate> {
    let size = MemoryLayout<VerifiedPredicate>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + code.count, alignment: MemoryLayout<VerifiedPredicate>.alignment)
    let node = unsafe memory.bindMemory(to: VerifiedPredicate.self, capacity: 1)
    unsafe node.initialize(to: VerifiedPredicate(codeByteCount: code.count))
    unsafe code.withUnsafeBytes { code in
      guard let source = code.baseAddress else { return }
      unsafe (memory + size).copyMemory(from: source, byteCount: code.count)
    }
    return unsafe Address(node)
  }
}

extension Address where Node == VerifiedPredicate {
  /// The best of the sessions that have the predicate, or ``Posting/none``.
  @inline(__always)
  var best: UInt32 { unsafe node.pointee.posting.best.load(ordering: .acquiring) }

  /// The predicate's flat form.
  @inline(__always)
  var code: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(node + 1).assumingMemoryBound(to: UInt8.self),
      count: node.pointee.codeByteCount)
  }
}
