// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

/// Test vectors of the life cycle, format `scene-conformance/1`.
struct LifecycleSuite: ConformanceSuite {
  static let format = "scene-conformance/1"

  private let vectors: [LifecycleVector]

  /// What the vectors run: a program of the runtime's, or of what translates it.
  var program: any VectorProgram.Type = RuntimeProgram.self

  init(_ file: JSONNode) throws(JSONFileError) {
    try file.checkKeys("format", "half", "vectors")
    _ = try file.optional("half")?.decode(SuiteHalf.self)
    var vectors: [LifecycleVector] = []
    var ids = UniqueNames()
    for node in try file.member("vectors").elements() {
      let vector = try LifecycleVector.read(node)
      try ids.insert(vector.id, node.member("id"))
      vectors.append(vector)
    }
    self.vectors = vectors
  }

  func run(_ options: ConformanceOptions) async -> [ConformanceResult] {
    var results: [ConformanceResult] = []
    for vector in vectors {
      results.append(
        ConformanceResult(
          id: vector.id, note: vector.title, difference: await difference(vector, options)))
    }
    return results
  }

  /// Runs a vector as often as it says, until something differs.
  private func difference(
    _ vector: LifecycleVector, _ options: ConformanceOptions
  ) async -> String? {
    let count = vector.repeat?.value ?? 1
    for number in 1...count {
      let place = VectorPlace()
      let program = program
      let difference = await Self.difference(options, place) {
        var run = VectorRun(vector, program, options: options, place: place)
        return await run.run()
      }
      guard let difference else { continue }
      return count == 1 ? difference : "run \(number): \(difference)"
    }
    return nil
  }

  /// Says what differs in a run, which may be that it does not end.
  static func difference(
    _ options: ConformanceOptions, _ place: VectorPlace,
    _ run: @escaping @Sendable () async -> String?
  ) async -> String? {
    let outcome = await LimitedRun.result(
      within: options.limit, options.executor?.clock ?? options.clock, on: options.executor, run)
    return outcome ?? "\(place.name): it did not come to rest within \(options.limit)"
  }
}

/// Runs something that may never come to its end.
final class LimitedRun<Result: Sendable>: Sendable {
  private let result = Guarded<Result?>(nil)
  private let done = Signal()

  /// Runs a body and returns its result, or nil if the time is over before.
  ///
  /// A body whose time is over is cancelled and left to itself: one that hangs cannot be waited
  /// for.
  static func result(
    within limit: Duration, _ clock: any Clock<Duration>,
    on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async -> Result
  ) async -> Result? {
    let run = LimitedRun()
    let task = Spawner(executor: executor).start {
      let result = await body()
      run.result.withLock { $0 = result }
      run.done.give()
    }
    await withTaskGroup { group in
      group.addTask { await run.done.wait() }
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    task.cancel()
    return run.result.withLock { $0 }
  }
}
