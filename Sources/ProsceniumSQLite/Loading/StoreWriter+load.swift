// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

extension StoreWriter {
  /// Takes the store over; what it has is read by the loading that begins.
  ///
  /// - Throws: What SQLite refuses.
  mutating func beginLoad() throws(StoreError) -> StoreLoading {
    var loading = try StoreLoading(self)
    do throws(StoreError) {
      try loading.readConfigurations()
      try loading.readContents()
      try loading.readActivations()
      try beginEpoch(loading)
      // What cannot be repaired now is no worse than before.
      try? repairActivations(&loading.activations)
    } catch {
      loading.finalize()
      throw error
    }
    return loading
  }

  /// Ends a loading whose rows were read.
  mutating func finishLoad(_ loading: inout StoreLoading) -> StoreLoad {
    finish(&loading)
    loading.finalize()
    // The pages of what was read once are of no use any more.
    try? connection.execute("PRAGMA shrink_memory")
    defer { damage = [] }
    return StoreLoad(
      epoch: store.epoch, isRestoring: store.isRestoring, damage: damage + loading.damage)
  }

  /// Begins an epoch, and writes what the tables of contents need.
  private mutating func beginEpoch(_ loading: StoreLoading) throws(StoreError) {
    var changed = store
    changed.epoch = max(changed.epoch, loading.records.greatestEpoch)
    guard changed.epoch < UInt32.max else {
      throw StoreError(.limitExceeded, "\(parts.path): the store was loaded too often.")
    }
    changed.epoch += 1
    try transaction { (writer) throws(StoreError) in
      try changed.write(with: writer.statements.writeStore)
    }
    store = changed
    // What cannot be repaired now is no worse than before.
    try? repair(loading)
  }

  /// Writes the tables of contents that were made again, and removes openings that nothing names.
  private mutating func repair(_ loading: StoreLoading) throws(StoreError) {
    let openings = try unnamedOpenings(loading)
    if loading.repaired.isEmpty, openings.isEmpty { return }
    try transaction { (writer) throws(StoreError) in
      for (segment, contents) in loading.repaired {
        guard let bytes = contents.bytes(segment) else { continue }
        let statement = writer.statements.writeContents
        statement.bind(segment, 1)
        statement.bind(Int64(contents.total), 2)
        try statement.run(with: bytes, 3)
      }
      for opening in openings {
        try writer.connection.execute("DELETE FROM opening WHERE opening = \(opening)")
        try writer.connection.execute("DELETE FROM opening_copy WHERE opening = \(opening)")
      }
    }
  }

  /// The openings that no record names, as far as that is certain.
  private func unnamedOpenings(_ loading: StoreLoading) throws(StoreError) -> [Int64] {
    if loading.mayMissRecords || !loading.damage.isEmpty { return [] }
    let statement = try connection.prepare(
      "SELECT opening FROM opening UNION SELECT opening FROM opening_copy")
    defer { statement.finalize() }
    var unnamed: [Int64] = []
    while try statement.step() {
      let opening = UInt64(bitPattern: statement.integer(0))
      if opening != parts.opening.number, !loading.records.openings.contains(opening) {
        unnamed.append(Int64(bitPattern: opening))
      }
    }
    return unnamed
  }

  private mutating func finish(_ loading: inout StoreLoading) {
    configurations = [:]
    nextConfiguration = loading.nextConfiguration
    for (number, configuration) in loading.configurations {
      if let configuration { configurations[configuration] = number }
    }
    // A number is not given again by this store, also where the last segments were removed.
    nextSegment = max(nextSegment, loading.records.greatestSegment + 1)
    activationNumbers = loading.activations.numbers
    appendsActivations = loading.activations.isSound
    if store.census.count < 0 { store.census = loading.census }
    loading.index.finishLoad()
    let index = loading.index
    loading.index = SessionIndex(capacity: 0, nextSequence: 1)
    parts.keys.forgetAll()
    parts.index.withLock { $0 = index }
    note(index)
  }
}
