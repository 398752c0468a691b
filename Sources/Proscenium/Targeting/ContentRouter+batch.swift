// SPDX-License-Identifier: Apache-2.0

import CProscenium

extension ContentRouter {
  /// How many identifiers are on their way at the same time.
  private static let batchSize = 32

  /// Decides for several identifiers at once, in their order.
  ///
  /// The memory that the decisions will need is fetched for dozens of them at a time, so that they
  /// do not wait for it one after another.
  ///
  /// - Throws: `limitExceeded` if an identifier has over 8,192 UTF-8 bytes; nothing is decided.
  package func choose(
    all targets: some Collection<String>, role: UInt8 = 0
  ) throws(SceneError) -> [Choice] {
    var choices: [Choice] = []
    var tooLong: SceneError?
    // Not generic from here on: this is called from other modules.
    let isDone: Void? = targets.withContiguousStorageIfAvailable { targets in
      tooLong = unsafe choose(targets, role, into: &choices)
    }
    if isDone == nil {
      unsafe Array(targets).withUnsafeBufferPointer { targets in
        tooLong = unsafe choose(targets, role, into: &choices)
      }
    }
    if let tooLong { throw tooLong }
    return choices
  }

  private func choose(
    _ targets: UnsafeBufferPointer<String>, _ role: UInt8, into choices: inout [Choice]
  ) -> SceneError? {
    for index in targets.indices {
      do throws(SceneError) {
        try unsafe Self.check(targets[index])
      } catch {
        return error
      }
    }
    choices.reserveCapacity(targets.count)
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.batchSize) { hashes in
      for start in stride(from: 0, to: targets.count, by: Self.batchSize) {
        let visit = periods.enter()
        defer { periods.leave(visit) }
        let part = start..<min(start + Self.batchSize, targets.count)
        unsafe fetch(targets, part, role, hashes)
        for index in part {
          let choice = unsafe withBytes(of: targets[index]) { text in
            unsafe choose(text, hashes[index - start], role)
          }
          choices.append(choice)
        }
      }
    }
    return nil
  }

  /// Hashes identifiers and fetches what their decisions will look at.
  private func fetch(
    _ targets: UnsafeBufferPointer<String>, _ part: Range<Int>, _ role: UInt8,
    _ hashes: UnsafeMutableBufferPointer<UInt64>
  ) {
    let sessions = roles[role]
    for index in part {
      let hash = unsafe withBytes(of: targets[index]) { unsafe ByteHash.shared($0) }
      unsafe hashes[index - part.lowerBound] = hash
      if sessions.isNone { continue }
      prefetchSlot(sessions.index(.prefers), hash)
      prefetchSlot(sessions.index(.can), hash)
    }
    if sessions.isNone { return }
    for number in 0..<part.count {
      unsafe prefetchTerm(sessions.index(.prefers), hashes[number])
      unsafe prefetchTerm(sessions.index(.can), hashes[number])
    }
  }

  @inline(__always)
  private func prefetchSlot(_ index: Address<PredicateIndex>, _ hash: UInt64) {
    guard !index.isNone else { return }
    let plain = unsafe index.node.pointee.space(0)
    if !plain.isNone { unsafe plain.node.pointee.whole.prefetch(hash) }
  }

  @inline(__always)
  private func prefetchTerm(_ index: Address<PredicateIndex>, _ hash: UInt64) {
    guard !index.isNone else { return }
    let plain = unsafe index.node.pointee.space(0)
    guard !plain.isNone else { return }
    let term = unsafe plain.node.pointee.whole.find(hash) { _ in true }
    guard term != 0 else { return }
    unsafe proscenium_prefetch_read(UnsafeRawPointer(bitPattern: term))
    unsafe proscenium_prefetch_read(UnsafeRawPointer(bitPattern: term + 64))
  }
}
