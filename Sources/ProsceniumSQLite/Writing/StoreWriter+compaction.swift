// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How much of the file may be taken by records that no longer count.
enum Compaction {
  /// How many bytes of records there may be for each byte that counts, in percent.
  static let share = 190

  /// How many bytes there may be beyond that.
  static let slack = 8 << 20

  /// How many bytes are moved at most for each byte that a commit brings.
  static let factor = 4

  /// How many bytes a commit may move however little it brings.
  static let floor = 128 << 10

  /// Beyond how many bytes too much compaction begins, so that not every small commit compacts.
  static let chunk = 64 << 10

  /// How many segments a commit removes at most beside those that its bytes pay for.
  static let removals = 64

  /// From how many small segments on they are joined.
  static let smallSegments = 1_024
}

extension StoreWriter {
  /// Moves the records that count out of the leanest segments, still sealed, and removes the
  /// segments, as far as the file is too large and the commit is large.
  mutating func planCompaction(
    _ group: ChangeGroup, _ draft: inout CommitDraft
  ) throws(StoreError) {
  }

  /// Lets the newest table of contents say which segments there are, if nothing newer does.
  mutating func writeCensus(_ draft: inout CommitDraft) throws(StoreError) {
  }
}
