// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// What a replay makes of decisions that mean what later ones say.
@Suite struct AdmissionReplayTests {
  /// A session that is refreshed twice; both refreshes are dropped, and what came before the one
  /// that was admitted after so many decisions needs its scene.
  private static func records(reconnectedAfter decisions: UInt32) -> [DecisionRecord] {
    let session = SessionIdentifier.numbered(4)
    func record(_ kind: DecisionRecord.Kind, _ decisions: UInt32 = 0) -> DecisionRecord {
      var record = DecisionRecord(kind, session)
      record.decisions = decisions
      return record
    }
    return [
      record(.refreshed, 1), record(.activated), record(.refreshDropped), record(.background),
      record(.disconnected), record(.refreshed, 5), record(.disconnected), record(.destroyed),
      record(.refreshDropped), record(.reconnected, decisions),
    ]
  }

  private static func connections(_ records: [DecisionRecord]) -> Int {
    var session = AdmissionReplay.Session()
    session.standing = .archived
    var replay = AdmissionReplay(
      .init(capacity: 1, groups: 1), sessions: [4: session], newest: 4, records: records)
    replay.take(records)
    #expect(replay.findings == [])
    return replay.calls[4].count { $0.callback == .connect }
  }

  @Test func `a scene that a message needs is that of the refresh before it`() {
    #expect(Self.connections(Self.records(reconnectedAfter: 1)) == 1)
    #expect(Self.connections(Self.records(reconnectedAfter: 5)) == 2)
  }
}
