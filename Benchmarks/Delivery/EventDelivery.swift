// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium

/// Sends events to sessions chosen at random, until all are handled; what the scenes have counted
/// is compared with what was sent.
struct EventDelivery: Sendable {
  private static let producers = 2

  private let application: Application
  private let population: ScenePopulation
  private let stopwatch = Stopwatch(seconds: Scale.current.seconds)

  private struct Total: Sendable {
    var count: UInt64 = 0
    var sum: UInt64 = 0
    var reachedScenes = 0
  }

  init(_ population: ScenePopulation) {
    self.population = population
    application = population.application
  }

  func measure() async throws -> Reading {
    let before = try await counted()
    var sent = Total()
    let reading = try await stopwatch.measure {
      let end = stopwatch.end
      sent = try await withThrowingTaskGroup { group in
        for producer in 0..<Self.producers {
          // One of the senders.
          group.addTask { try await send(producer, after: before.count, until: end) }
        }
        return try await group.reduce(into: Total()) {
          $0.count += $1.count
          $0.sum &+= $1.sum
        }
      }
      await application.settle()
      return Int(sent.count)
    }
    let after = try await counted()
    guard after.count - before.count == sent.count, after.sum &- before.sum == sent.sum else {
      throw BenchmarkFailure(
        "\(sent.count) events were sent, \(after.count - before.count) handled")
    }
    // Of as many events as scenes, chosen uniformly, a share of 1 - 1/e is reached.
    guard
      after.count < population.sessions.count || after.reachedScenes * 2 > population.sessions.count
    else { throw BenchmarkFailure("the events went to \(after.reachedScenes) scenes only") }
    return reading
  }

  private func send(
    _ producer: Int, after number: UInt64, until end: ContinuousClock.Instant
  ) async throws -> Total {
    let sessions = population.sessions
    var random = Random(producer)
    var total = Total()
    repeat {
      for _ in 0..<256 {
        let payload = random.next()
        total.count += 1
        total.sum &+= payload
        let message = NumberedMessage(
          sender: UInt64(producer), number: number + total.count, payload: payload)
        try await application.sendWithBackpressure(
          message.message, to: sessions[random.number(below: sessions.count)])
      }
    } while !stopwatch.isOver(end)
    return total
  }

  /// Asks every scene what it has counted.
  private func counted() async throws -> Total {
    var total = Total()
    for session in population.sessions {
      let answer = NumberedMessage(try await application.call("", to: session))
      guard answer.sender == 0 else { throw BenchmarkFailure("events came in another order") }
      total.count += answer.number
      total.sum &+= answer.payload
      total.reachedScenes += answer.number > 0 ? 1 : 0
    }
    return total
  }
}
