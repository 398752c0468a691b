// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreWriter {
  /// Takes the store over and reads the rows of all sessions.
  ///
  /// - Throws: A ``StoreError``, or what `receive` throws.
  mutating func load(
    _ receive: @Sendable ([SessionRow]) throws -> Void
  ) throws -> StoreLoad {
    var loading = try StoreLoading(self)
    defer { loading.finalize() }
    try loading.readConfigurations()
    try loading.readContents()
    store.epoch = max(store.epoch, loading.records.greatestEpoch)
    try beginEpoch()
    try loading.readSessions(receive)
    finish(loading)
    let damage = damage + loading.damage
    self.damage = []
    return StoreLoad(epoch: store.epoch, isRestoring: store.isRestoring, damage: damage)
  }

  private mutating func beginEpoch() throws(StoreError) {
    var changed = store
    guard changed.epoch < UInt32.max else {
      throw StoreError(.limitExceeded, "\(parts.path): the store was loaded too often.")
    }
    changed.epoch += 1
    try transaction { (writer) throws(StoreError) in
      try changed.write(with: writer.statements.writeStore)
    }
    store = changed
  }

  private mutating func finish(_ loading: StoreLoading) {
    configurations = [:]
    nextConfiguration = 1
    for (number, configuration) in loading.configurations {
      nextConfiguration = max(nextConfiguration, number + 1)
      if let configuration { configurations[configuration] = number }
    }
    nextSegment = loading.records.greatestSegment + 1
    var index = loading.index
    index.finishLoad()
    parts.keys.forgetAll()
    parts.index.withLock { $0 = index }
  }
}
