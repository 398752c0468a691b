// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

@testable import Proscenium

/// One decision in the compact form in which a storm keeps a million of them.
struct StormRecord: Sendable {
  enum Kind: UInt8, Sendable {
    case opened, activated, background, interrupted, resumed
    case disconnected, destroyed, refreshed, refreshDropped, connected, reconnected, failed
    case refused
  }

  enum Refusal: UInt8, Sendable {
    case other, requestDenied, notInBackground, systemBusy, notRunning

    init(_ code: SceneError.Code) {
      switch code {
      case .requestDenied: self = .requestDenied
      case .notInBackground: self = .notInBackground
      case .systemBusy: self = .systemBusy
      case .notRunning: self = .notRunning
      default: self = .other
      }
    }
  }

  var kind: Kind
  var refusal = Refusal.other
  var victimLeaves = false
  var group: UInt16 = 0
  var activity: UInt16 = 0
  /// Sessions by their numbers; 0 is none.
  var session: UInt32 = 0
  var requester: UInt32 = 0
  var victim: UInt32 = 0

  init(_ kind: Kind, _ session: SessionIdentifier?) {
    self.kind = kind
    self.session = Self.number(session)
  }

  init(_ record: AdmissionRecord) {
    switch record {
    case .activated(let session, let isNew, let group, let requester, let event, let victim):
      self.init(isNew ? .opened : .activated, session)
      self.group = UInt16(group.number)
      self.requester = Self.number(requester)
      self.victim = Self.number(victim)
      if case .activity(let activity) = event { self.activity = UInt16(activity.number) }
    case .background(let session): self.init(.background, session)
    case .interrupted(let session): self.init(.interrupted, session)
    case .resumed(let session): self.init(.resumed, session)
    case .disconnected(let session): self.init(.disconnected, session)
    case .destroyed(let session): self.init(.destroyed, session)
    case .refreshed(let session): self.init(.refreshed, session)
    case .refreshDropped(let session): self.init(.refreshDropped, session)
    case .connected(let session): self.init(.connected, session)
    case .reconnected(let session): self.init(.reconnected, session)
    case .failed(let session, let victimLeaves):
      self.init(.failed, session)
      self.victimLeaves = victimLeaves
    case .refused(let error):
      self.init(.refused, error.session)
      refusal = Refusal(error.code)
    }
  }

  private static func number(_ session: SessionIdentifier?) -> UInt32 {
    UInt32(truncatingIfNeeded: session?.number ?? 0)
  }
}

/// The order of admission, as the gate saw it.
final class StormTrace: Sendable {
  private let storage = Guarded<[StormRecord]>([])
  private let size = Atomic<Int>(0)
  private let newestSession = Atomic<Int>(0)

  var records: [StormRecord] { storage.withLock { $0 } }
  var count: Int { size.load(ordering: .relaxed) }

  /// The number of the session that was opened last.
  var newest: Int { newestSession.load(ordering: .relaxed) }

  func append(_ admission: AdmissionRecord) {
    let record = StormRecord(admission)
    if record.kind == .opened { newestSession.store(Int(record.session), ordering: .relaxed) }
    size.wrappingAdd(1, ordering: .relaxed)
    storage.withLock { $0.append(record) }
  }
}
