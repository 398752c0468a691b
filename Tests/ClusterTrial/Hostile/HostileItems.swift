// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// Items that are well formed, and say what no node says.
  struct HostileItems {
    var random: SplitMix64
    /// Sessions of the other node, to which something can be said.
    let sessions: [SessionIdentifier]

    private mutating func bytes(upTo count: Int) -> [UInt8] {
      (0..<random.number(below: count + 1)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private mutating func list<Element>(
      upTo count: Int, _ make: (inout HostileItems) -> Element
    ) -> [Element] {
      (0..<random.number(below: count + 1)).map { _ in make(&self) }
    }

    /// Small numbers, the greatest ones, and any between.
    private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      switch random.number(below: 4) {
      case 0: Number(random.number(below: 100))
      case 1: .max
      case 2: .min
      default: Number(truncatingIfNeeded: random.next())
      }
    }

    private mutating func session() -> SessionIdentifier {
      random.number(below: 4) > 0
        ? sessions[random.number(below: sessions.count)]
        : SessionIdentifier(high: random.next(), low: random.next())
    }

    private mutating func slice() -> Int {
      random.number(below: 16) > 0 ? random.number(below: 1_024) : Int(number(UInt32.self))
    }

    private mutating func epochs() -> [SliceEpoch] {
      list(upTo: 4) { SliceEpoch(slice: $0.slice(), epoch: $0.number(UInt32.self)) }
    }

    /// A request by the names of its parts, or any bytes.
    private mutating func request() -> SceneMessage {
      if random.number(below: 4) == 0 { return SceneMessage(bytes(upTo: 64)) }
      var state = SavedState()
      state.userInfo = [:]
      let names = [
        "action", "destroy", "new", "activate", "named", "url", "scope", "best", "group",
      ]
      for name in names where random.number(below: 3) == 0 {
        let text =
          random.number(below: 3) == 0
          ? String(decoding: bytes(upTo: 9), as: UTF8.self)
          : "\(random.number(below: 9))"
        state.userInfo?[name] = .string(text)
      }
      return SceneMessage((try? state.encoded()) ?? [])
    }

    private mutating func delta() -> TermDelta {
      var delta = TermDelta(begins: random.number(below: 8) == 0)
      delta.entered = list(upTo: 9) { $0.number(UInt64.self) >> 24 }
      delta.left = list(upTo: 9) { $0.number(UInt64.self) >> 24 }
      for _ in 0..<random.number(below: 4) {
        let shape = SharedTerm.Shape(rawValue: UInt32(random.number(below: 1 << 22)))
        // Most of these can be.
        let difference = random.number(below: 8) == 0 ? number(Int32.self) : 1
        if let shape { delta.shapes.append(.init(shape, difference)) }
      }
      delta.gone = list(upTo: 4) { $0.slice() }
      delta.complete = epochs()
      return delta
    }

    private mutating func line() -> HandedOverLine {
      HandedOverLine(
        session(),
        known: list(upTo: 3) {
          FrameNumber(epoch: $0.number(UInt64.self), count: $0.number(UInt64.self) >> 2)
        },
        clients: list(upTo: 3) {
          .init(
            ClientIdentifier(high: $0.random.next(), low: $0.random.next()), watches: true,
            acknowledged: $0.number(UInt64.self) >> 2)
        },
        skipped: number(UInt64.self) >> 2,
        frames: list(upTo: 3) { SceneMessage($0.bytes(upTo: 99)) })
    }

    private mutating func item() -> LinkItem {
      let (session, ticket) = (session(), number(UInt64.self))
      switch random.number(below: 12) {
      case 0, 1, 2: return .message(SceneMessage(bytes(upTo: 300)), to: session, .plain)
      case 3:
        return .message(SceneMessage(bytes(upTo: 30)), to: session, .durable(ticket: ticket))
      case 4: return .message(SceneMessage(bytes(upTo: 30)), to: session, .call(ticket: ticket))
      case 5: return .message(request(), to: session, .request(ticket: ticket))
      case 6: return .question(request(), ticket: ticket)
      case 7: return .terms(delta())
      case 8:
        return .handingOver(
          epochs: epochs(),
          list(upTo: 4) {
            .init($0.session(), HandedOverSessions.Standing.allCases[$0.random.number(below: 3)])
          })
      case 9: return .clientLines(epochs: epochs(), list(upTo: 3) { $0.line() })
      case 10: return .reply(ticket: ticket, .success(request()))
      default:
        return .reply(
          ticket: ticket, .failure(SceneError(.systemBusy, session: session, "forged")))
      }
    }

    mutating func entries(upTo count: Int) -> [LinkWindow<LinkItem>.Entry] {
      list(upTo: count) { items in
        let item = items.item()
        return .init(
          item: item, slice: item.session?.slice(bits: FrameFuzz.sliceBits), size: item.size,
          restarts: item.session != nil && items.random.number(below: 2) == 0)
      }
    }
  }
#endif
