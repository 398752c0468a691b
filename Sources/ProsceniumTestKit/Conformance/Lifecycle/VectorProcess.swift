// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// One process of a vector's application: from a launch to its end.
final class VectorProcess: Sendable {
  let application: Application
  private let recorder: LifecycleRecorder
  private let terminated = Signal()
  private let ended = Signal()
  private let isKilled = Guarded(false)

  init(_ application: Application, recorder: LifecycleRecorder) {
    self.application = application
    self.recorder = recorder
  }

  /// Starts to run the application until it ends by itself or is ended.
  func start() {
    _ = Spawner(executor: nil).start { [self] in await run() }
  }

  private func run() async {
    defer { ended.give() }
    do {
      try await application.whileRunning { [terminated] _ in await terminated.wait() }
      recorder.leave()
      if !isKilled.withLock({ $0 }) { recorder.log("process.exit") }
    } catch  where isKilled.withLock({ $0 }) {
      recorder.leave()
    } catch let error as SceneError {
      recorder.leave()
      recorder.fail("launch", error.code)
    } catch {
      recorder.note("expected the launch to fail with an error of a scene, found \(error)")
    }
  }

  /// Ends the application in order.
  func terminate() {
    terminated.give()
  }

  /// Ends the process without a word to the application.
  func kill() {
    isKilled.withLock { $0 = true }
    application.abandon()
  }

  /// Waits until the application has ended.
  func waitForEnd() async {
    await ended.wait()
  }

  /// Waits until the application is idle; returns false if it has ended.
  func waitUntilIdle(isTerminating: Bool) async -> Bool {
    if !isTerminating {
      await application.launched()
      await application.settle()
      if !application.isEnding { return true }
    }
    await waitForEnd()
    return false
  }
}

/// Something that happens once and can be waited for; the wait ends when the task is cancelled.
struct Signal: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func give() {
    continuation.finish()
  }

  func wait() async {
    for await _ in stream {}
  }
}
