// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// The order of admission, as the gate saw it.
final class StormTrace: Sendable {
  private let storage = Guarded<[DecisionRecord]>([])
  private let size = Atomic<Int>(0)
  private let newestSession = Atomic<Int>(0)

  var records: [DecisionRecord] { storage.withLock { $0 } }
  var count: Int { size.load(ordering: .relaxed) }

  /// The number of the session that was opened last.
  var newest: Int { newestSession.load(ordering: .relaxed) }

  func append(_ admission: AdmissionRecord) {
    let record = DecisionRecord(admission)
    if record.kind == .opened { newestSession.store(Int(record.session), ordering: .relaxed) }
    size.wrappingAdd(1, ordering: .relaxed)
    storage.withLock { $0.append(record) }
  }
}
