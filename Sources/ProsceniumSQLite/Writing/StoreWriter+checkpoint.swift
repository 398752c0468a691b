// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension StoreWriter {
  /// What has to be done about the log after a transaction.
  enum LogWish: Sendable {
    case nothing
    /// Bring it into the database beside the writer.
    case bulk
    /// Cut it off soon, because it holds destroyed keys.
    case truncation
  }

  /// Looks at the log after a transaction; brings it into the database at once if it is too large.
  mutating func lookAtLog(_ checkpointing: Checkpointing) -> LogWish {
    let pages = gauge.pages
    statistics.largestLog = max(statistics.largestLog, pages)
    parts.readers.setHoldsStates(pages < Checkpointing.bulkPages)
    if pages >= Checkpointing.urgentPages {
      checkpointing.wait()
      finishCheckpoint(truncates: false)
    } else if pages >= Checkpointing.bulkPages {
      return .bulk
    }
    return logHasDestroyedKeys ? .truncation : .nothing
  }

  /// Brings the rest of the log into the database, so that it can begin anew.
  ///
  /// What the system refuses is tried again after the next transactions.
  mutating func finishCheckpoint(truncates: Bool) {
    options.observe(.checkpointBegan)
    options.reached(.insideCheckpoint)
    parts.readers.setHoldsStates(false)
    var isComplete = (try? connection.checkpoint(.passive)) ?? false
    statistics.checkpoints += 1
    if isComplete { parts.mapped?.follow(upTo: nextSegment - 1) }
    if isComplete, truncates, logHasDestroyedKeys {
      isComplete = (try? connection.checkpoint(.truncating)) ?? false
      if isComplete {
        logHasDestroyedKeys = false
        statistics.truncations += 1
        gauge.reset()
      }
    }
    options.observe(.checkpointEnded(isComplete: isComplete))
  }
}
