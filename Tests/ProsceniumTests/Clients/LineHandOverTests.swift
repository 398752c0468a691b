// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Lines of sessions that go to another process.
struct LineHandOverTests {
  private static let limit = OutputBuffer.Limit(frames: 16, bytes: 4_000)

  /// The line of a user, as that sees it.
  private struct Side {
    var ledger: LineLedger
    var line: UInt64 = 0
    var shown: FrameNumber?
    /// What the user was told, without the epoch.
    var told: [String] = []

    mutating func attach() {
      let attachment = ledger.attach(
        LineLedger.Request(client: .number(1), lastSeen: shown), .takesOver)
      guard let attachment else { return told.append("refused") }
      line = attachment.number
      told.append("\(attachment.reset.map { "\($0)" } ?? "on") after \(attachment.frameCount)")
      if attachment.reset != nil {
        _ = ledger.append(SceneMessage("all"), isHeld: false)
        ledger.endRendering(line, after: attachment.frameCount)
      }
    }

    mutating func read() {
      switch ledger.take(line) {
      case .frame(let frame):
        shown = frame.number
        told.append("\(frame.number.count) \(frame.content.string)")
      case .needsRendering:
        guard let count = ledger.beginRendering(line, .overflow) else { return }
        _ = ledger.append(SceneMessage("all"), isHeld: false)
        ledger.endRendering(line, after: count)
        told.append("again")
      case let output: told.append(output.map { "\($0)" } ?? "nothing")
      }
    }

    mutating func acknowledge() {
      guard let shown else { return }
      let isTaken = ledger.acknowledge(
        line, FrameNumber(epoch: ledger.epoch, count: shown.count))
      told.append("acknowledged \(isTaken), \(ledger.keptFrames) kept")
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `a line that moves goes on as one that stays`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var stays = Side(ledger: LineLedger(epoch: 1, limit: Self.limit))
    var moves = stays
    stays.attach()
    moves.attach()
    for step in 0..<300 {
      let choice = random.number(below: 20)
      let content = SceneMessage("\(step) " + String(repeating: "x", count: choice * 20))
      switch choice {
      case 0..<8:
        _ = stays.ledger.append(content, isHeld: false)
        _ = moves.ledger.append(content, isHeld: false)
      case 8..<16:
        stays.read()
        moves.read()
      case 16:
        stays.acknowledge()
        moves.acknowledge()
      case 17:
        _ = stays.ledger.detach(stays.line)
        _ = moves.ledger.detach(moves.line)
        stays.attach()
        moves.attach()
      default:
        // Its line breaks, and the other one's moves.
        _ = stays.ledger.detach(stays.line)
        let line = moves.ledger.depart(.number(1))
        #expect(line.size <= HandedOverLine.sizeLimit)
        moves.ledger = LineLedger(
          line.limited(to: HandedOverLine.sizeLimit), epoch: UInt64(step + 2), limit: Self.limit)
        let content = SceneMessage("between")
        _ = stays.ledger.append(content, isHeld: false)
        _ = moves.ledger.append(content, isHeld: false)
        stays.attach()
        moves.attach()
      }
      #expect(stays.told == moves.told)
      if stays.told != moves.told { return }
    }
  }

  private static func line(_ sizes: [Int]) -> HandedOverLine {
    HandedOverLine(
      .number(1), known: [FrameNumber(epoch: 7, count: 10 + UInt64(sizes.count))],
      clients: [.init(.number(1), watches: false, acknowledged: 10)], skipped: 10,
      frames: sizes.map { SceneMessage([UInt8](repeating: 1, count: $0)) })
  }

  private static func reset(_ line: HandedOverLine, seen: UInt64) -> OutputReset? {
    var ledger = LineLedger(
      line, epoch: 8, limit: OutputBuffer.Limit(frames: 1_024, bytes: 1 << 20))
    let request = LineLedger.Request(
      client: .number(1), lastSeen: FrameNumber(epoch: 7, count: seen))
    return ledger.attach(request, .takesOver)?.reset
  }

  @Test func `below the bound no client gets a reset, above it who has not seen what is left out`()
  {
    let small = Self.line([30_000, 30_000, 5_000])
    #expect(small.size <= HandedOverLine.sizeLimit)
    #expect(small.limited(to: HandedOverLine.sizeLimit) == small)
    #expect((10...13).map { Self.reset(small, seen: $0) } == [nil, nil, nil, nil])
    let large = Self.line([30_000, 30_000, 6_000])
    #expect(large.size > HandedOverLine.sizeLimit)
    let limited = large.limited(to: HandedOverLine.sizeLimit)
    #expect(limited.frames.count == 2 && limited.frameCount == large.frameCount)
    #expect((10...13).map { Self.reset(limited, seen: $0) } == [.overflow, nil, nil, nil])
    // One frame can be larger than all that goes.
    let huge = Self.line([SceneMessage.sizeLimit]).limited(to: HandedOverLine.sizeLimit)
    #expect(huge.frames.isEmpty)
    #expect((10...11).map { Self.reset(huge, seen: $0) } == [.overflow, nil])
    #expect(small.limited(to: 0).frames.isEmpty)
  }

  @Test func `numbers that no epoch has are void`() {
    let line = Self.line([1, 1])
    #expect(Self.reset(line, seen: 13) == .epoch)
    var ledger = LineLedger(line, epoch: 8, limit: Self.limit)
    let request = LineLedger.Request(
      client: .number(1), lastSeen: FrameNumber(epoch: 6, count: 10))
    #expect(ledger.attach(request, .takesOver)?.reset == .epoch)
  }

  @Test func `a client that has seen nothing since several moves goes on`() {
    var ledger = LineLedger(Self.line([1, 1]), epoch: 8, limit: Self.limit)
    for epoch in 9..<(9 + UInt64(HandedOverLine.epochLimit)) {
      let line = ledger.depart(.number(1))
      #expect(line.known.count <= HandedOverLine.epochLimit)
      ledger = LineLedger(line, epoch: epoch, limit: Self.limit)
    }
    for (epoch, reset) in [(9, nil), (7, OutputReset.epoch)] as [(UInt64, OutputReset?)] {
      var copy = ledger
      let request = LineLedger.Request(
        client: .number(1), lastSeen: FrameNumber(epoch: epoch, count: 11))
      #expect(copy.attach(request, .takesOver)?.reset == reset)
    }
  }

  @Test func `a client that watched has its frames until it comes back, or its absence is over`() {
    var before = LineLedger(epoch: 1, limit: Self.limit)
    for (number, watches) in [(1, false), (2, true)] as [(UInt64, Bool)] {
      _ = before.attach(
        LineLedger.Request(client: .number(number), watches: watches), .takesOver)
    }
    for text in ["a", "b"] { _ = before.append(SceneMessage(text), isHeld: false) }
    #expect(
      before.take(2)
        == .frame(
          SceneFrame(number: FrameNumber(epoch: 1, count: 1), content: SceneMessage("a"))))
    let line = before.depart(.number(1))
    for isLate in [false, true] {
      var after = LineLedger(line, epoch: 2, limit: Self.limit)
      let user = after.attach(
        LineLedger.Request(client: .number(1), lastSeen: FrameNumber(epoch: 1, count: 2)),
        .takesOver)
      #expect(user?.reset == nil)
      if isLate { after.leaveWatchers() }
      let watcher = after.attach(
        LineLedger.Request(
          client: .number(2), lastSeen: FrameNumber(epoch: 1, count: 1), watches: true),
        .takesOver)
      #expect(watcher?.reset == (isLate ? .overflow : nil))
    }
  }
}
