// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives
  import Testing

  @Suite struct LinkFrameTests {
    private static let bits = 10

    private static func read(_ frame: LinkFrame) throws -> LinkFrame {
      var bytes: [UInt8] = [7]
      frame.write(to: &bytes)
      #expect(bytes[0] == 7, "what was there before stays")
      let length = (0..<4).reduce(0) { $0 | Int(bytes[1 + $1]) << (8 * $1) }
      #expect(length == bytes.count - 5)
      return try LinkFrame(reading: Array(bytes[5...]), sliceBits: bits)
    }

    private static func message(_ random: inout SplitMix64) -> SceneMessage {
      let count = [0, 1, 31, 32, 33, 1_000][random.number(below: 6)]
      return SceneMessage((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    private static func line(_ random: inout SplitMix64) -> HandedOverLine {
      HandedOverLine(
        SessionIdentifier(high: random.next(), low: random.next()),
        known: (0..<random.number(below: 4)).map { _ in
          FrameNumber(epoch: random.next(), count: random.next() >> 2)
        },
        clients: (0..<random.number(below: 4)).map { _ in
          .init(
            ClientIdentifier(high: random.next(), low: random.next()),
            watches: random.number(below: 2) == 0, acknowledged: random.next() >> 2)
        },
        skipped: random.next() >> 2,
        frames: (0..<random.number(below: 4)).map { _ in message(&random) })
    }

    private static func entry(_ random: inout SplitMix64) -> LinkWindow<LinkItem>.Entry {
      let session = SessionIdentifier(high: random.next(), low: random.next())
      let ticket = random.next()
      let item: LinkItem =
        switch random.number(below: 10) {
        case 0: .message(message(&random), to: session, .plain)
        case 1: .message(message(&random), to: session, .durable(ticket: ticket))
        case 2: .message(message(&random), to: session, .call(ticket: ticket))
        case 3: .reply(ticket: ticket, .success(message(&random)))
        case 4: .message(message(&random), to: session, .request(ticket: ticket))
        case 5:
          .handingOver(
            epochs: (0..<random.number(below: 9)).map {
              .init(slice: $0, epoch: UInt32(random.number(below: 1 << 20)))
            },
            (0..<random.number(below: 9)).map { _ in
              .init(session, HandedOverSessions.Standing.allCases[random.number(below: 3)])
            })
        case 6: .terms(delta(&random))
        case 7: .question(message(&random), ticket: ticket)
        case 8:
          .clientLines(
            epochs: (0..<random.number(below: 9)).map { .init(slice: $0, epoch: 7) },
            (0..<random.number(below: 4)).map { _ in line(&random) })
        default:
          .reply(
            ticket: ticket,
            .failure(
              SceneError(.systemBusy, session: session, "later", retryAfter: .milliseconds(7))))
        }
      return .init(
        item: item, slice: item.session?.slice(bits: bits), size: item.size,
        restarts: item.session != nil && random.number(below: 2) == 0)
    }

    private static func delta(_ random: inout SplitMix64) -> TermDelta {
      var delta = TermDelta(begins: random.number(below: 2) == 0)
      delta.entered = (0..<random.number(below: 9)).map { _ in random.next() >> 24 }
      delta.left = (0..<random.number(below: 9)).map { _ in random.next() >> 24 }
      delta.shapes = SharedTerm.Kind.allCases.map {
        TermDelta.Count(SharedTerm.Shape(unbounded: $0), Int32(random.number(below: 9)) - 4)
      }
      delta.gone = (0..<random.number(below: 9)).map { _ in random.number(below: 1_024) }
      delta.complete = (0..<random.number(below: 9)).map {
        SliceEpoch(slice: $0, epoch: UInt32(random.number(below: 1 << 20)))
      }
      return delta
    }

    private static func frame(_ random: inout SplitMix64) -> LinkFrame {
      switch random.number(below: 5) {
      case 0: return .greeting(from: 7, to: .max, count: random.next())
      case 1:
        let entries = (0..<random.number(below: 20)).map { _ in entry(&random) }
        return .items(.init(first: random.next(), confirmed: random.next(), entries: entries))
      case 2:
        let refused = (0..<random.number(below: 20)).map { _ in
          LinkAnswer.Refused(random.next(), LinkRefusal.allCases[random.number(below: 4)])
        }
        let answer = LinkAnswer(last: random.next(), refused: refused)
        return random.number(below: 2) == 0
          ? .answer(answer) : .welcome(process: random.next(), answer)
      case 3: return .goodbye
      default:
        return .served((0..<random.number(below: 9)).map { _ in random.number(below: 1_024) })
      }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `what is written is read`(seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      for _ in 0..<20 {
        let frame = Self.frame(&random)
        #expect(try Self.read(frame) == frame)
      }
    }

    @Test func `an error keeps what a caller needs, and no sentence is endless`() throws {
      let session = SessionIdentifier(high: 1, low: 2)
      let error = SceneError(
        .systemBusy, session: session, String(repeating: "é", count: 2_000),
        retryAfter: .microseconds(1_500))
      let frame = LinkFrame.items(
        .init(
          first: 1, confirmed: 0,
          entries: [
            .init(item: .reply(ticket: 3, .failure(error)), slice: nil, size: 0, restarts: false)
          ]))
      guard case .items(let batch) = try Self.read(frame),
        case .reply(3, .failure(let read)) = batch.entries[0].item
      else {
        Issue.record("another frame")
        return
      }
      #expect(read.code == .systemBusy && read.session == session)
      #expect(read.retryAfter == .milliseconds(2))
      #expect(read.message == String(repeating: "é", count: 512))
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `bytes that were changed are another frame or refused, and nothing traps`(
      seed: UInt64
    ) throws {
      var random = SplitMix64(seed: seed)
      for _ in 0..<20 {
        var bytes: [UInt8] = []
        Self.frame(&random).write(to: &bytes)
        bytes.removeFirst(4)
        for _ in 0..<50 {
          var changed = bytes
          for _ in 0...random.number(below: 3) where !changed.isEmpty {
            let place = random.number(below: changed.count)
            switch random.number(below: 3) {
            case 0: changed[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: changed.remove(at: place)
            default: changed.removeSubrange(place...)
            }
          }
          do {
            let frame = try LinkFrame(reading: changed, sliceBits: Self.bits)
            #expect(try Self.read(frame) == frame)
          } catch let fault as LinkFault {
            #expect(fault.description.hasPrefix("at byte "))
          }
        }
      }
    }

    @Test func `what clients need has the size that it says`() {
      var random = SplitMix64(seed: 7)
      for _ in 0..<100 {
        let line = Self.line(&random)
        func size(_ lines: [HandedOverLine]) -> Int {
          let item = LinkItem.clientLines(epochs: [], lines)
          var bytes: [UInt8] = []
          LinkFrame.items(
            .init(
              first: 1, confirmed: 0,
              entries: [.init(item: item, slice: nil, size: item.size, restarts: false)])
          ).write(to: &bytes)
          return bytes.count
        }
        #expect(size([line]) - size([]) == line.size)
      }
    }

    @Test func `a slice that there is not is refused`() {
      var bytes: [UInt8] = []
      LinkFrame.served([1_023, 1_024]).write(to: &bytes)
      #expect(throws: LinkFault("at byte 9: expected a slice below 1024, found 1024")) {
        try LinkFrame(reading: Array(bytes[4...]), sliceBits: Self.bits)
      }
    }

    @Test func `more hashes than one item has are refused`() {
      var delta = TermDelta()
      delta.entered = [UInt64](repeating: 1, count: TermDelta.limit)
      delta.left = [2]
      var bytes: [UInt8] = []
      LinkFrame.items(
        .init(
          first: 1, confirmed: 0,
          entries: [.init(item: .terms(delta), slice: nil, size: 0, restarts: false)])
      ).write(to: &bytes)
      #expect(throws: LinkFault.self) {
        try LinkFrame(reading: Array(bytes[4...]), sliceBits: Self.bits)
      }
    }

    @Test func `a count that the bytes cannot hold takes no memory`() {
      let bytes: [UInt8] = [4, 255, 255, 255, 255]
      #expect(throws: LinkFault("at byte 1: expected at most 0 slices, found 4294967295")) {
        try LinkFrame(reading: bytes, sliceBits: Self.bits)
      }
    }
  }
#endif
