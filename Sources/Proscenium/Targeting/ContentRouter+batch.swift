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
    for target in targets { try Self.check(target) }
    var choices: [Choice] = []
    choices.reserveCapacity(targets.count)
    forEachChoice(targets, role: role) { choices.append($0) }
    return choices
  }

  /// Calls a function with the decision for each identifier, in their order; none is over the limit.
  func forEachChoice(
    _ targets: some Collection<String>, role: UInt8, _ body: (Choice) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.batchSize) { hashes in
      var start = targets.startIndex
      while start != targets.endIndex {
        let visit = periods.enter()
        defer { periods.leave(visit) }
        let end = unsafe fetch(targets, from: start, role, hashes)
        var number = 0
        while start != end {
          let choice = unsafe withBytes(of: targets[start]) { text in
            unsafe choose(text, hashes[number], role)
          }
          body(choice)
          number += 1
          targets.formIndex(after: &start)
        }
      }
    }
  }

  /// Hashes the next identifiers and fetches what their decisions will look at; returns where they
  /// end.
  private func fetch<Targets: Collection<String>>(
    _ targets: Targets, from start: Targets.Index, _ role: UInt8,
    _ hashes: UnsafeMutableBufferPointer<UInt64>
  ) -> Targets.Index {
    let sessions = roles[role]
    var end = start
    var count = 0
    while count < Self.batchSize, end != targets.endIndex {
      unsafe hashes[count] = withBytes(of: targets[end]) { unsafe ByteHash.shared($0) }
      if !sessions.isNone {
        unsafe prefetchSlot(sessions.index(.prefers), hashes[count])
        unsafe prefetchSlot(sessions.index(.can), hashes[count])
      }
      count += 1
      targets.formIndex(after: &end)
    }
    if !sessions.isNone {
      for number in 0..<count {
        unsafe prefetchTerm(sessions.index(.prefers), hashes[number])
        unsafe prefetchTerm(sessions.index(.can), hashes[number])
      }
    }
    return end
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
