// SPDX-License-Identifier: Apache-2.0

#if Live
  import ProsceniumPrimitives
  import Testing

  @testable import ProsceniumLive

  extension LiveServerTests {
    /// Lines that break.
    struct Breaks {
      private static let inputCount = 12

      @Test func `many clients with broken lines lose nothing, and nothing comes twice`()
        async throws
      {
        try await LiveStage.serving { stage in
          await withTaskGroup(of: Int?.self) { group in
            for number in 1...200 {
              group.addTask { try? await Self.run(number, stage) }
            }
            var breaks = 0
            for await count in group {
              #expect(count != nil)
              breaks += count ?? 0
            }
            #expect(breaks >= 200)
          }
        }
      }

      /// A client that sends its input over lines that break; returns how many did.
      private static func run(_ number: Int, _ stage: LiveStage) async throws -> Int {
        var draws = SplitMix64(seed: UInt64(number))
        let cookie = try await stage.cookie()
        var (session, seen, acknowledged, breaks) = ("", "-", 0, 0)
        var shown = ""
        while true {
          let line = try await stage.line(cookie)
          line.send(
            LiveStage.hello(number, next: inputCount + 1, seen: seen, session: session))
          let welcome = try await Welcome(line)
          session = welcome.session ?? session
          acknowledged = max(acknowledged, welcome.lastInput)
          // Each of them is sent over each line, until it is known that it has come.
          for input in (acknowledged + 1)..<(inputCount + 1) {
            line.send(CountingPage.input(input))
          }
          var left = breaks < 1 + number % 3 ? 1 + draws.number(below: 8) : Int.max
          while left > 0, shown != CountingPage.part(inputCount) || acknowledged < inputCount {
            left -= 1
            let message = await line.next()
            let words = message.split(separator: " ", maxSplits: 3)
            if words.first == "acknowledged" {
              acknowledged = try #require(Int(words[1]))
            } else if words.first == "frame" {
              seen = "\(words[1])/\(words[2])"
              let start = try #require(words[3].firstRange(of: "<p id")?.lowerBound)
              let end = try #require(words[3].firstRange(of: "</p>")?.upperBound)
              shown = String(words[3][start..<end])
              line.send("ack \(words[2])")
            } else {
              throw Welcome.Unexpected(words: message)
            }
          }
          if left > 0 {
            await line.socket.close()
            return breaks
          }
          breaks += 1
          if number.isMultiple(of: 2) {
            await line.socket.reset()
          } else {
            await line.socket.close()
          }
        }
      }
    }
  }
#endif
