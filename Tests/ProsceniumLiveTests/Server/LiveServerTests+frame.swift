// SPDX-License-Identifier: Apache-2.0

#if Live
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// What a client may not send over a line, and what it is told then.
    struct Frames {
      struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: Int
        let frames: [WireFrame]

        init(_ name: String, _ code: Int, _ frames: WireFrame...) {
          (testDescription, self.code, self.frames) = (name, code, frames)
        }
      }

      private static let ack = WireFrame(text: "ack 1")
      private static let large = [UInt8](repeating: 0x78, count: 40_000)

      static let faults = [
        Fault("binary", 1003, WireFrame(WireFrame.binary, [1])),
        Fault("no UTF-8", 1007, WireFrame(WireFrame.text, [0x61, 0xFF])),
        Fault("half a character", 1007, WireFrame(WireFrame.text, [0xC3])),
        Fault("no mask", 1002, ack.with { $0.mask = nil }),
        Fault("a ping without a mask", 1002, WireFrame(WireFrame.ping).with { $0.mask = nil }),
        Fault("first reserved bit", 1002, ack.with { $0.reservedBits = 4 }),
        Fault("second reserved bit", 1002, ack.with { $0.reservedBits = 2 }),
        Fault("third reserved bit", 1002, ack.with { $0.reservedBits = 1 }),
        Fault(
          "a reserved bit of a ping", 1002, WireFrame(WireFrame.ping).with { $0.reservedBits = 4 }),
        Fault("unknown opcode", 1002, WireFrame(3, [1])),
        Fault("unknown control opcode", 1002, WireFrame(11, [1])),
        Fault("a part without a beginning", 1002, WireFrame(WireFrame.continuation, [1])),
        Fault(
          "a beginning in a message", 1002, WireFrame(WireFrame.text, [0x61], isLast: false), ack),
        Fault("a ping in parts", 1002, WireFrame(WireFrame.ping, isLast: false)),
        Fault("a long ping", 1002, WireFrame(WireFrame.ping, Array(large[..<126]))),
        Fault("a gigabyte", 1009, ack.with { $0.announced = 1 << 30 }),
        Fault("all bits of a length", 1009, ack.with { $0.announced = .max }),
        Fault("a large frame", 1009, WireFrame(WireFrame.text, large + large)),
        Fault(
          "large parts", 1009, WireFrame(WireFrame.text, large, isLast: false),
          WireFrame(WireFrame.continuation, large)),
      ]

      @Test(arguments: faults)
      func `a line is closed with a code that says what was wrong`(_ fault: Fault) async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          tab.socket.send(fault.frames.flatMap(\.bytes))
          #expect(await tab.end() == "close \(fault.code)")
          // What comes then does nothing.
          tab.send(CountingPage.input(1))
          tab.send(WireFrame(WireFrame.close, [0x03, 0xEA]))
          await stage.clock.tick(ConnectionTimes.closingLimit)
          #expect(await tab.next() == "ended")
        }
      }

      @Test func `a message of too many parts is too large`() async throws {
        try await LiveStage.serving { stage in
          let tab = try await stage.tab()
          tab.send(WireFrame(WireFrame.text, [0x61], isLast: false))
          for _ in 0..<LineHandler.partLimit {
            tab.send(WireFrame(WireFrame.continuation, [0x61], isLast: false))
          }
          #expect(await tab.end() == "close 1009")
        }
      }

      @Test func `too many messages are not allowed`() async throws {
        try await LiveStage.serving {
          $0.messageRate = 5
        } _: { stage in
          let tab = try await stage.tab()
          // The first one of a tab is its hello.
          for _ in 1..<20 { tab.send("unknown") }
          tab.send(WireFrame(WireFrame.ping))
          #expect(await tab.next() == "pong")
          tab.send("unknown")
          #expect(await tab.end() == "close 1008")
          #expect(stage.lines.take().contains { $0.contains("too many messages") })
        }
      }

      @Test func `a frame that announces a gigabyte takes no memory`() async throws {
        try await LiveStage.serving { stage in
          let frame = WireFrame(WireFrame.text).with { $0.announced = 1 << 30 }.bytes
          // Other tests of the process take memory too, but not each time.
          var growths: [Int] = []
          for _ in 0..<3 {
            let tab = try await stage.tab()
            let before = ResidentMemory.bytes
            tab.socket.send(frame)
            #expect(await tab.end() == "close 1009")
            tab.socket.send([UInt8](repeating: 0, count: 16 << 20))
            await stage.clock.tick(ConnectionTimes.closingLimit)
            await tab.socket.waitForEnd()
            growths.append(ResidentMemory.bytes - before - (16 << 20))
          }
          #expect(growths.min() ?? 0 <= 8 << 20, "grown by \(growths)")
        }
      }
    }
  }
#endif
