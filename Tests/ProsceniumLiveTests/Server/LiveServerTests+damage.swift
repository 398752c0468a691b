// SPDX-License-Identifier: Apache-2.0

#if Live
  import Foundation
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// Clients that send anything.
    struct Damage {
      /// How many frames are sent: more with the environment's `PROSCENIUM_FUZZ_FRAMES`.
      private static let frameCount =
        ProcessInfo.processInfo.environment["PROSCENIUM_FUZZ_FRAMES"].flatMap { Int($0) } ?? 20_000
      private static let framesPerLine = 50

      private final class End: Sendable {
        let isThere = Guarded(false)
      }

      @Test(.timeLimit(.minutes(30)))
      func `what is damaged ends its connection alone`() async throws {
        let end = End()
        try await LiveStage.serving {
          $0.messageRate = 100_000
        } _: { stage in
          let cookie = try await stage.cookie()
          let tab = try await stage.tab()
          let count = await withTaskGroup(of: Int.self) { group in
            // A client that does nothing wrong, and is served all the time.
            group.addTask {
              var number = 0
              while !end.isThere.withLock({ $0 }) {
                number += 1
                let shown = await tab.input(number)
                #expect(shown.contains(CountingPage.part(number)))
                tab.send("ack \(number + 1)")
              }
              return number
            }
            await Self.sendAll(cookie, stage)
            end.isThere.withLock { $0 = true }
            return await group.next() ?? 0
          }
          #expect(count > 10)
          await tab.socket.close()
          await stage.waitUntilEmpty()
          #expect(try await stage.ask(stage.head("GET", "/")).status == 200)
        }
      }

      /// Sends damaged frames and requests over many connections, four at once.
      private static func sendAll(_ cookie: String, _ stage: LiveStage) async {
        await withDiscardingTaskGroup { group in
          for stream in 0..<4 {
            group.addTask {
              var damage = WireDamage(seed: 7, stream: stream)
              var left = frameCount / 4
              while left > 0 {
                await send(&damage, framesPerLine, cookie, stage)
                left -= framesPerLine
              }
            }
          }
        }
      }

      /// Opens a connection, and sends requests or frames over it.
      private static func send(
        _ damage: inout WireDamage, _ count: Int, _ cookie: String, _ stage: LiveStage
      ) async {
        guard let socket = try? await stage.connect() else {
          Issue.record("the server takes no connections")
          return
        }
        let isLine = damage.draws.number(below: 10) > 0
        if isLine {
          let client = 1_000 + damage.draws.number(below: 4)
          socket.send(stage.upgrade(cookie))
          if damage.draws.number(below: 10) > 0 {
            socket.send(WireFrame(text: LiveStage.hello(client)).bytes)
          }
        } else {
          socket.send(damage.request(stage.head("GET", "/", cookie: cookie)))
        }
        var bytes: [UInt8] = []
        for _ in 0..<count {
          bytes += isLine ? damage.frame() : damage.request(stage.head("GET", "/live.css"))
          if damage.draws.number(below: 10) == 0 {
            socket.send(bytes)
            bytes = []
          }
        }
        // A close behind it, so that the server ends what is still a line.
        socket.send(bytes + WireFrame(WireFrame.close).bytes)
        // Of a line it waits for the first byte of an answer, which is not damaged.
        switch damage.draws.number(below: isLine ? 3 : 2) {
        case 0: await socket.reset()
        case 1: await socket.close()
        default:
          _ = await socket.read { bytes in bytes.isEmpty ? nil : (true, bytes.count) }
          await socket.close()
        }
      }
    }
  }

  /// Makes frames and requests with something wrong in them, the same for the same seed.
  struct WireDamage {
    var draws: SplitMix64

    init(seed: UInt64, stream: Int) {
      draws = SplitMix64(seed: seed &+ UInt64(stream) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static let texts = [
      "hello 1 0 1 1 - ", "hello 2 00000000000000000000000000000001 1 1 - ", "input 1 n",
      "input 0 ", "input 18446744073709551616 x", "ack 1", "ack 99999", "visible 1", "visible 7",
      "move x", "", " ", "unknown", "hello", "input", "input 2 %", "input 3 n?value=%F",
    ]

    private mutating func bytes(below limit: Int) -> [UInt8] {
      (0..<draws.number(below: limit)).map { _ in UInt8(truncatingIfNeeded: draws.next()) }
    }

    /// The bytes of a frame; lines go on after most of them, so that what follows is read.
    mutating func frame() -> [UInt8] {
      switch draws.number(below: 100) {
      case 0: return bytes(below: 40)
      case 1:
        var bytes = WireFrame(text: Self.texts[draws.number(below: Self.texts.count)]).bytes
        bytes[draws.number(below: bytes.count)] ^= 1 << UInt8(draws.number(below: 8))
        return bytes
      case 2:
        let bytes = WireFrame(text: "unknown").bytes
        return Array(bytes[..<draws.number(below: bytes.count)])
      case 3:
        var frame = WireFrame(UInt8(draws.number(below: 16)), bytes(below: 20))
        frame.isLast = draws.number(below: 2) == 0
        frame.reservedBits = UInt8(draws.number(below: 8))
        if draws.number(below: 4) == 0 { frame.mask = nil }
        if draws.number(below: 4) == 0 { frame.announced = draws.next() >> draws.next() % 64 }
        return frame.bytes
      case 4: return WireFrame(text: Self.texts[draws.number(below: Self.texts.count)]).bytes
      case 5..<15: return WireFrame(WireFrame.ping, bytes(below: 126)).bytes
      case 15..<20: return WireFrame(WireFrame.pong, bytes(below: 126)).bytes
      case 20..<40:
        return WireFrame(WireFrame.text, [0x7A], isLast: false).bytes
          + WireFrame(WireFrame.continuation, [0x7A]).bytes
      default:
        // A word that no version knows yet, and what a later one may have behind it.
        return WireFrame(text: "later \(draws.next())").bytes
      }
    }

    /// The bytes of a request with something wrong.
    mutating func request(_ head: String) -> [UInt8] {
      var bytes = Array(head.utf8)
      switch draws.number(below: 4) {
      case 0: bytes[draws.number(below: bytes.count)] = UInt8(truncatingIfNeeded: draws.next())
      case 1: bytes.removeSubrange(draws.number(below: bytes.count)...)
      case 2: bytes.insert(contentsOf: self.bytes(below: 20), at: draws.number(below: bytes.count))
      default: break
      }
      return bytes
    }
  }
#endif
