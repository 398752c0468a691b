// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// One decision in a compact form, of which a million can be kept.
package struct DecisionRecord: Sendable {
  /// What was decided.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// As an ``AdmissionRecord`` has it; a new session is `opened`.
    case opened, activated, background, interrupted, resumed
    case disconnected, destroyed, refreshed, refreshDropped, connected, reconnected, woken, failed
    case refused
  }

  /// Why something was refused.
  package enum Refusal: UInt8, Sendable {
    /// The code of the same name, one that UIKit knows as a denied request, or any other one.
    case other, denied, notInBackground, systemBusy, notRunning, multipleScenesNotSupported

    /// Makes it from the code of the error.
    package init(_ code: SceneError.Code) {
      switch code {
      case .notInBackground: self = .notInBackground
      case .systemBusy: self = .systemBusy
      case .notRunning: self = .notRunning
      case .multipleScenesNotSupported: self = .multipleScenesNotSupported
      default: self = code.uiKitCode == 1 ? .denied : .other
      }
    }
  }

  /// What was decided.
  package var kind: Kind
  /// Why, if it was refused.
  package var refusal = Refusal.other
  /// Of a configuration that failed: whether the victim leaves all the same.
  package var victimLeaves = false
  /// The group of a new session.
  package var group: UInt16 = 0
  /// The activity to be shown, 0 for none.
  package var activity: UInt16 = 0
  /// The session by its number; 0 is none.
  package var session: UInt32 = 0
  /// Who asked, likewise.
  package var requester: UInt32 = 0
  /// Who gives way, likewise.
  package var victim: UInt32 = 0
  /// Of a refresh, and of what its scene was needed for all the same: how much had been decided
  /// about the session.
  package var decisions: UInt32 = 0

  /// Makes a decision of a kind about a session.
  package init(_ kind: Kind, _ session: SessionIdentifier?) {
    self.kind = kind
    self.session = Self.number(session)
  }

  /// Makes the compact form of a record.
  package init(_ record: AdmissionRecord) {
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
    case .refreshed(let session, let decisions):
      self.init(.refreshed, session)
      self.decisions = decisions
    case .refreshDropped(let session): self.init(.refreshDropped, session)
    case .connected(let session): self.init(.connected, session)
    case .reconnected(let session, let decisions):
      self.init(.reconnected, session)
      self.decisions = decisions
    case .woken(let session): self.init(.woken, session)
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
