// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Random lines, compared with what each client must have seen.
struct LineLedgerModelTests {
  /// A client, as it sees itself.
  private struct Client {
    let identifier: ClientIdentifier
    let watches: Bool
    var line: UInt64?
    /// The last frame that it shows; nil before the first.
    var shown: FrameNumber?
    /// Whether the next frame has to be the beginning of everything.
    var isReset = false
    var acknowledged: UInt64 = 0
  }

  private struct World {
    var random: SplitMix64
    var ledger: LineLedger
    var clients: [Client]
    /// The frames that begin everything again.
    var beginnings: Set<UInt64> = []
    var last: UInt64 = 0
    /// The frames that are held, and the last one that was released.
    var held: Set<UInt64> = []
    var released: UInt64 = 0
    var resets: [OutputReset: Int] = [:]

    /// The session goes to another process, which serves it in the next epoch.
    mutating func move(limit: OutputBuffer.Limit) {
      released = last
      ledger.release(through: last)
      let limits = [HandedOverLine.sizeLimit, 220, 0]
      let line = ledger.depart(.number(1)).limited(to: limits[random.number(below: 3)])
      for index in clients.indices {
        guard let number = clients[index].line else { continue }
        #expect(ledger.take(number) == nil && !ledger.takesInput(number))
        clients[index].line = nil
      }
      ledger = LineLedger(line, epoch: ledger.epoch + 1, limit: limit)
    }

    mutating func emit(beginning: Bool = false) {
      let isHeld = random.number(below: 3) == 0
      let content = SceneMessage([UInt8](repeating: 7, count: random.number(below: 40)))
      last = ledger.append(content, isHeld: isHeld)
      if isHeld { held.insert(last) }
      if beginning { beginnings.insert(last) }
    }

    mutating func render(_ line: UInt64, after frameCount: UInt64) {
      emit(beginning: true)
      ledger.endRendering(line, after: frameCount)
    }

    mutating func attach(_ index: Int) {
      let client = clients[index]
      let request = LineLedger.Request(
        client: client.identifier, lastSeen: client.shown, watches: client.watches)
      guard let attachment = ledger.attach(request, .takesOver) else { return }
      for other in clients.indices where !client.watches && !clients[other].watches {
        // Its line has ended, which it will hear.
        if other != index, clients[other].line != nil { clients[other].line = nil }
      }
      clients[index].line = attachment.number
      clients[index].isReset = attachment.reset != nil
      guard let reset = attachment.reset else { return }
      resets[reset, default: 0] += 1
      render(attachment.number, after: attachment.frameCount)
    }

    mutating func read(_ index: Int) {
      guard let line = clients[index].line else { return }
      while let output = ledger.take(line) {
        switch output {
        case .acknowledged: Issue.record("nothing was sent")
        case .reset(let reset):
          resets[reset, default: 0] += 1
          clients[index].isReset = true
        case .needsRendering:
          guard let count = ledger.beginRendering(line, .overflow) else { return }
          render(line, after: count)
        case .ended(let reason):
          #expect(reason == .takenOver)
          clients[index].line = nil
          return
        case .over:
          Issue.record("the line is over")
          return
        case .frame(let frame):
          let isEarly = held.contains { $0 > released && $0 <= frame.number.count }
          #expect(!isEarly, "a frame has left before its commit")
          if clients[index].isReset {
            #expect(beginnings.contains(frame.number.count), "a reset is no beginning")
            #expect(frame.number.count > clients[index].shown?.count ?? 0)
          } else {
            #expect(frame.number.count == (clients[index].shown?.count ?? 0) + 1)
          }
          clients[index].isReset = false
          clients[index].shown = frame.number
        }
        if random.number(below: 8) == 0 { return }
      }
    }

    mutating func step(_ limit: OutputBuffer.Limit, moves: Bool) {
      if moves, random.number(below: 25) == 0 { return move(limit: limit) }
      let index = random.number(below: clients.count)
      switch random.number(below: 12) {
      case 0...3: emit()
      case 4:
        released = max(released, last - UInt64(random.number(below: Int(min(last, 3)) + 1)))
        ledger.release(through: released)
      case 5...7: read(index)
      case 8:
        guard let line = clients[index].line, let shown = clients[index].shown else { return }
        let now = FrameNumber(epoch: ledger.epoch, count: shown.count)
        let future = FrameNumber(epoch: ledger.epoch, count: last + 1)
        let isTaken = (ledger.acknowledge(line, now), ledger.acknowledge(line, future))
        #expect(isTaken == (true, false))
      case 9:
        guard let line = clients[index].line else { return }
        _ = ledger.detach(line)
        clients[index].line = nil
      case 10: if clients[index].line == nil { attach(index) }
      default:
        guard random.number(below: 20) == 0 else { return }
        ledger.leaveWatchers()
        ledger.leave()
      }
    }
  }

  @Test(arguments: 0..<200) func `every client sees every frame in order, or a reset`(
    _ seed: Int
  ) {
    play(seed, moves: false)
  }

  @Test(arguments: 200..<400)
  func `every client sees every frame in order, or a reset, while the session moves`(_ seed: Int) {
    play(seed, moves: true)
  }

  private func play(_ seed: Int, moves: Bool) {
    let limit = OutputBuffer.Limit(frames: 6, bytes: 150)
    var world = World(
      random: SplitMix64(seed: UInt64(seed)), ledger: LineLedger(epoch: 9, limit: limit),
      clients: (0..<4).map { Client(identifier: .number(UInt64($0)), watches: $0 > 1) })
    for _ in 0..<400 {
      world.step(limit, moves: moves)
      #expect(world.ledger.keptFrames <= 6)
    }
    #expect(world.last > 50)
    #expect(world.resets[.overflow] ?? 0 > 0)
  }
}
