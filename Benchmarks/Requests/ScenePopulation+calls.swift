// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium

extension ScenePopulation {
  /// Asks scenes chosen at random, each caller one after another.
  func measureCalls(callers: Int) async throws -> Reading {
    let (application, sessions) = (application, sessions)
    return try await Callers(callers).measure(batch: 64) { caller, random in
      let number = random.next()
      let question = NumberedMessage(sender: 0, number: 0, payload: number).message
      let answer = try await application.call(
        question, to: sessions[random.number(below: sessions.count)])
      guard NumberedMessage(answer).payload == number else {
        throw BenchmarkFailure("a scene gave a wrong answer")
      }
    }
  }
}
