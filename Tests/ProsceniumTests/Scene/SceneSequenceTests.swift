// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@Suite(.timeLimit(.minutes(10))) struct SceneSequenceTests {
  /// Logs what comes of a sequence, in which negative numbers put another delegate in its place.
  private final class Follower: SceneDelegate {
    private let numbers: AsyncStream<Int>
    private let log: CallLog

    init(_ numbers: AsyncStream<Int>, _ log: CallLog) {
      self.numbers = numbers
      self.log = log
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      scene.addTask(Follower.self, forEach: numbers) { follower, scene, number in
        follower.log.append("\(number) \(scene.activationState.letter)")
        if number < 0 { scene.delegate = SilentDelegate() }
      }
    }
  }

  private let log = CallLog()
  private let session = SessionIdentifier.number(1)

  private func application(_ numbers: AsyncStream<Int>) -> Application {
    let configuration = SceneConfiguration("Main") { [log] in Follower(numbers, log) }
    return Application(manifest: [configuration], settings: .counted, log: .silent)
  }

  private func waitForLines(_ count: Int) async {
    while log.lines.count < count { await Task.yield() }
  }

  @Test func `each element comes to the scene, in order`() async throws {
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    let application = application(numbers)
    try await application.whileRunning {
      try await application.host.newSession()
      for number in 1...1000 { source.yield(number) }
      await waitForLines(1000)
      #expect(log.take() == (1...1000).map { "\($0) A" })
      try await application.host.perform(.background(session))
      source.yield(1001)
      await waitForLines(1)
      #expect(log.take() == ["1001 B"])
    }
  }

  @Test func `the disconnect ends it`() async throws {
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    source.onTermination = { _ in end.finish() }
    let application = application(numbers)
    try await application.whileRunning {
      try await application.host.newSession()
      source.yield(1)
      await waitForLines(1)
      try await application.host.perform(.background(session))
      try await application.host.perform(.disconnect(session))
      for await _ in ends {}
      source.yield(2)
      await application.settle()
      #expect(log.take() == ["1 A"])
    }
  }

  @Test func `a delegate of another class ends it`() async throws {
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    let application = application(numbers)
    try await application.whileRunning {
      try await application.host.newSession()
      for number in [1, -1, 2] { source.yield(number) }
      source.finish()
      await waitForLines(2)
      await application.settle()
    }
    #expect(log.take() == ["1 A", "-1 A"])
  }

  @Test func `a sequence that ends is followed to its end`() async throws {
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    source.yield(1)
    source.finish()
    let application = application(numbers)
    try await application.whileRunning {
      try await application.host.newSession()
      await waitForLines(1)
    }
    #expect(log.take().count == 1)
  }
}
