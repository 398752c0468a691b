// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What a transaction changes, until it is on the disk.
struct CommitDraft {
  /// The row of the table `store` from then on.
  var store: StoreRow

  /// Whether that row is another one.
  var changesStore = false

  /// The configurations that are new.
  var configurations: [StoredConfiguration: Int64] = [:]

  /// The sessions whose keys are destroyed.
  var destroyedKeys: [SessionNumber] = []

  /// A session that became active, and whose row is not written.
  struct Activation: Sendable {
    let sid: SessionNumber
    let counter: Int64
  }

  /// The sessions that became active, and whose rows are not written.
  var activations: [Activation] = []

  /// The numbers of all activations after the transaction.
  var activationNumbers: Range<Int64>

  /// Whether activations are being written, so that damage is found in their table.
  var isAppending = false

  /// The segments that are removed; what counted of them was moved.
  var removedSegments: [UInt32] = []

  /// The segment that is being compacted.
  var victim: UInt32?

  /// All segments after the transaction.
  var census = SegmentContents.Census()

  /// How many segments are new.
  var newSegments: Int64 = 0
}
