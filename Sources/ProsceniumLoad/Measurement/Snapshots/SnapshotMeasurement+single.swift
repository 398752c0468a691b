// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CSealingFloor
import Foundation
import Proscenium
import ProsceniumSQLite

// What one state costs: to be encoded, to become durable, to be read.
extension SnapshotMeasurement {
  private static let rounds = 200_000
  private static let turns = 10

  /// Encodes and decodes a draft again and again, on one thread.
  func measureCodec() throws {
    let state = SavedState(activity: DraftDelegate.draft)
    let bytes = try state.encoded()
    report(MeasuredFigure("a draft, encoded", Double(bytes.count), .bytes))
    var encoder = SavedStateEncoder()
    var sum = 0
    let encoding = try time("encode") {
      try encoder.encode(state)
      sum &+= encoder.withEncoded { $0.byteCount }
    }
    let decoding = try time("decode") {
      sum &+= try SavedState(decoding: bytes).activity?.userInfo.count ?? 0
    }
    let checking = try time("check without decoding") { try SavedState.validate(bytes) }
    precondition(sum > 0)
    for figure in encoding + decoding + checking { report(figure) }
  }

  private func time(_ name: String, _ body: () throws -> Void) throws -> [MeasuredFigure] {
    for _ in 0..<1_000 { try body() }
    let allocations = meter?.memory()?.allocations
    let start = clock.now
    for _ in 0..<Self.rounds { try body() }
    let seconds = start.duration(to: clock.now) / .seconds(1)
    let after = meter?.memory()?.allocations
    var figures = [MeasuredFigure(name, seconds / Double(Self.rounds), .seconds)]
    if let allocations, let after {
      figures.append(
        MeasuredFigure(
          "  allocations", (Double(after - allocations) / Double(Self.rounds)).rounded(), .plain))
    }
    return figures
  }

  /// Makes one state durable after another, with pauses.
  func measureLatency() async throws {
    try await inFolder { folder in
      let measured = try MeasuredStore(folder: folder, clock: clock)
      let application = measured.application(shards: shards)
      try await running(application) {
        let sessions = try await open(1_000, application)
        for (name, gap, count) in [
          ("200 µs apart", UInt64(200_000), 5_000), ("20 ms apart", 20_000_000, 250),
        ] {
          // The two take turns, so that a slow minute of the machine slows both.
          var (floor, own): ([Double], [Double]) = ([], [])
          for _ in 0..<Self.turns {
            floor += try floorLatencies(in: folder, gap, count / Self.turns)
            own += try await latencies(application, sessions, gap, count / Self.turns)
          }
          (floor, own) = (floor.sorted(), own.sorted())
          report(MeasuredFigure("append and sync, \(name), p50", floor.percentile(0.5), .seconds))
          report(MeasuredFigure("one sealed state, \(name), p50", own.percentile(0.5), .seconds))
          report(MeasuredFigure("  p99", own.percentile(0.99), .seconds))
          report(
            MeasuredFigure(
              "  of append and sync", own.percentile(0.5) / floor.percentile(0.5), .plain))
        }
      }
      try await measured.store.close()
    }
  }

  private func floorLatencies(
    in folder: String, _ gap: UInt64, _ count: Int
  ) throws -> [Double] {
    var latencies = [Double](repeating: 0, count: count)
    guard
      unsafe floor_append_latencies(
        folder + "/floor.log", Self.recordSize, count, gap, &latencies)
    else { throw ByteFile.failure(errno) }
    return latencies
  }

  private func latencies(
    _ application: Application, _ sessions: [SessionIdentifier], _ gap: UInt64, _ count: Int
  ) async throws -> [Double] {
    var latencies: [Double] = []
    for index in 0..<count {
      try await clock.sleep(for: .nanoseconds(Int64(gap)))
      let start = clock.now
      try await application.sendDurably("edit", to: sessions[index % sessions.count])
      latencies.append(start.duration(to: clock.now) / .seconds(1))
    }
    return latencies
  }

  /// Reads, opens and decodes the states of a store that was closed and opened again.
  func measureRestoring() async throws {
    try await inFolder { folder in
      let count = min(sessions, 100_000)
      var identifiers: [SessionIdentifier] = []
      let written = try MeasuredStore(folder: folder, clock: clock)
      let application = written.application(shards: shards)
      try await running(application) { identifiers = try await open(count, application) }
      try await written.store.close()
      let measured = try MeasuredStore(folder: folder, clock: clock)
      _ = try await measured.store.load { _ in }
      var random = SplitMix64(seed: 1)
      for index in identifiers.indices {
        identifiers.swapAt(index, random.number(below: identifiers.count))
      }
      let processor = ProcessorTime.used
      let start = clock.now
      for identifier in identifiers {
        guard let bytes = try measured.store.savedState(of: identifier),
          try SavedState(decoding: bytes).activity != nil
        else { throw StoreError(.damaged, session: identifier, "there is no state") }
      }
      let seconds = start.duration(to: clock.now) / .seconds(1)
      report(
        MeasuredFigure(
          "states read, opened and decoded, one thread", Double(count) / seconds, .rate,
          processors: (ProcessorTime.used - processor) / seconds))
      try await measured.store.close()
    }
  }
}
