// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumSimulation

/// Steps of the executor that decides by a seed what runs next.
@main
enum Simulation {
  static func main() async {
    await SuiteProgram.run {
      for scenes in [10, 1_000] {
        Contest("steps", ["scenes": scenes]).add(to: "Simulation") {
          [.runtime { try await measure(scenes) }]
        }
      }
    }
  }

  /// An application whose scenes are sent messages and disconnected, in worlds of a seed each.
  private static func measure(_ scenes: Int) async throws -> Reading {
    let stopwatch = Stopwatch(seconds: Scale.current.seconds)
    return try await stopwatch.measure {
      let end = stopwatch.end
      var steps = 0
      var seed: UInt64 = 1
      repeat {
        let executor = SeededExecutor(seed: seed)
        try executor.run { [seed] in try await live(scenes, seed, executor) }
        steps += executor.steps
        seed += 1
      } while !stopwatch.isOver(end)
      return steps
    }
  }

  private static func live(
    _ scenes: Int, _ seed: UInt64, _ executor: SeededExecutor
  ) async throws {
    var settings = ApplicationSettings()
    settings.taskExecutor = executor
    settings.clock = executor.clock
    settings.identifiers = .counted()
    try await Application.withMeasured(settings: settings) {
      CountingDelegate()
    } _: { application in
      var sessions: [SessionIdentifier] = []
      for _ in 0..<scenes {
        sessions.append(try await application.activateSceneSession().id)
      }
      var random = Random(Int(seed))
      for number in 1...scenes * 10 {
        let session = sessions[random.number(below: scenes)]
        let message = NumberedMessage(sender: 0, number: UInt64(number), payload: 1)
        try await application.sendWithBackpressure(message.message, to: session)
        if number % 10 == 0 {
          try await application.host.perform(.background(session))
          try await application.host.perform(.disconnect(session))
        }
      }
      await application.settle()
    }
  }
}
