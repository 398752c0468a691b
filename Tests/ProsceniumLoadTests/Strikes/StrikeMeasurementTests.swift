// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite(.timeLimit(.minutes(10))) struct StrikeMeasurementTests {
  private struct Counter: MemoryMeter {
    func memory() -> MemoryReading? { MemoryReading(allocated: 1, resident: 1, allocations: 1) }

    func settleThread() {}

    func releaseUnused() {}
  }

  /// Strikes a few sessions for a moment.
  private func churn() async throws -> [String] {
    let folder = try TemporaryFolder()
    var measurement = StrikeMeasurement(
      folder: folder.path, clock: ContinuousClock(), meter: Counter(), report: { _ in })
    measurement.parts = [.churn]
    measurement.sessions = 200
    measurement.seconds = 1
    measurement.rate = 5_000
    measurement.disconnects = 400
    measurement.discards = 40
    return try await measurement.run()
  }

  @Test func `strikes lose nothing`() async throws {
    let complaints = try await churn()
    #expect(complaints == [])
  }

  @Test func `a session with two scenes is found`() {
    let audit = StrikeAudit(clock: ContinuousClock())
    let session = SessionIdentifier(high: 1, low: 1)
    audit.connect(session)
    audit.disconnect(session)
    audit.connect(session)
    #expect(audit.duplicateOwners == 0)
    audit.connect(session)
    #expect(audit.duplicateOwners == 1)
  }

  @Test func `an event is read as it was sent, and nothing else is one`() throws {
    let event = CountedEvent(sender: 3, number: .max, time: 77)
    let read = try #require(CountedEvent(event.message))
    #expect(read.sender == 3 && read.number == .max && read.time == 77)
    #expect(CountedEvent("text") == nil)
    #expect(CountedEvent(SceneMessage([UInt8](repeating: 255, count: 16))) == nil)
  }

  @Test func `a message to a session that moved in later is not expected of the one before`()
    async throws
  {
    let sessions = (1...2).map { SessionIdentifier(high: 0, low: $0) }
    let struck = LoadTenants([sessions[0]])
    #expect(struck.leave(sessions[0]) == 0)
    #expect(struck.leave(sessions[0]) == nil)
    struck.move(sessions[1], into: 0)
    #expect(struck[0].session == sessions[1])
    #expect(struck[0].generation == 1)
    let sent = SentEvents(sender: 0, places: 1)
    #expect(sent.count(0, 1) == 0)
  }
}
