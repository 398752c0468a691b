// SPDX-License-Identifier: Apache-2.0

extension SavedStateError {
  /// Says what is too large about a state, or has no place in it.
  init(
    _ excess: SavedStateLimits.Excess, of state: SavedState, _ version: StateVersion,
    _ limits: SavedStateLimits
  ) {
    switch excess {
    case .snapshotCount:
      self.init(
        .limitExceeded, keyPath: "snapshots",
        expected: "at most \(SavedStateLimits.snapshotCountLimit) snapshots",
        found: state.snapshots.count.grouped)
    case .snapshotBytes:
      let sizes = state.snapshots.map {
        (name: $0.key, byteCount: $0.key.utf8.count + $0.value.count)
      }
      let largest = sizes.max { ($0.byteCount, $1.name) < ($1.byteCount, $0.name) }
      self.init(
        .limitExceeded, keyPath: "snapshots",
        expected: "at most \(SavedState.snapshotSizeLimit.grouped) bytes of a snapshot",
        found: (largest?.byteCount ?? 0).grouped)
    case .bytes:
      let sizes = SavedStateSizes(state, version, limits)
      self.init(
        .limitExceeded, expected: "a state of at most \(limits.byteCount.grouped) bytes",
        found: sizes.byteCount.grouped, largestParts: sizes.largest(by: \.byteCount))
    case .values:
      let sizes = SavedStateSizes(state, version, limits)
      self.init(
        .limitExceeded, expected: "a state of at most \(limits.valueCount.grouped) values",
        found: sizes.valueCount.grouped, largestParts: sizes.largest(by: \.valueCount))
    case .depth:
      let sizes = SavedStateSizes(state, version, limits)
      self.init(
        .limitExceeded, keyPath: sizes.refused[.depth] ?? "",
        expected: "arrays, dictionaries and sets at most \(limits.depth) deep within one another",
        found: "one more")
    case .propertyList:
      let sizes = SavedStateSizes(state, version, limits)
      self.init(
        .notPropertyList, keyPath: sizes.refused[.propertyList] ?? "",
        expected: "a value of a property list", found: "a null, a set or a URL")
    }
  }
}
