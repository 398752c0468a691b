// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumSQLite

/// Does a job of several steps, and tells its client how far it is.
final class JobAgent: ClientSceneDelegate {
  private static let steps = ["read", "plan", "draw", "check", "send"]
  private var isHired = false
  private var done: [String] = []

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    guard let saved = session.stateRestorationActivity?.userInfo["done"]?.array else { return }
    done = saved.compactMap(\.string)
    isHired = true
    doNextStep(scene)
  }

  /// The client's input: it comes once, however often the client sends it.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    isHired = true
    scene.setNeedsCapture()
    scene.emit("hired to \(message.string)")
    doNextStep(scene)
  }

  /// A step is done when its result is in the state: then the client is told.
  private func doNextStep(_ scene: isolated Scene) {
    guard done.count < Self.steps.count else { return scene.emit("finished") }
    let step = Self.steps[done.count]
    scene.emit("begins to \(step)")
    scene.addTask(JobAgent.self) {
      try? await Task.sleep(for: .milliseconds(100))
      return step
    } then: { agent, scene, step in
      agent.done.append(step)
      scene.setNeedsCapture()
      scene.emit("did \(step)")
      agent.doNextStep(scene)
    }
  }

  /// A client that has come back learns what was done before.
  func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    for step in done { scene.emit("has done \(step)") }
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    isHired ? UserActivity("job", userInfo: ["done": .array(done.map { .string($0) })]) : nil
  }
}

@main struct Demo {
  /// Without arguments, runs itself again and again, and kills each run in the middle of a step.
  static func main() async throws {
    if CommandLine.arguments.count > 1 { return try await work(CommandLine.arguments[1]) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("job-agent-\(ProcessInfo.processInfo.processIdentifier)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var begun: Set<String> = []
    var isFinished = false
    while !isFinished { isFinished = try await run(folder, &begun) }
  }

  /// Runs the program until it begins a step for the first time.
  static func run(_ folder: String, _ begun: inout Set<String>) async throws -> Bool {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return true }
      text += String(decoding: data, as: UTF8.self)
      while let end = text.firstIndex(of: "\n") {
        let line = String(text[..<end])
        text = String(text[text.index(after: end)...])
        print("  " + line)
        guard line.hasPrefix("begins"), begun.insert(line).inserted else { continue }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        print("killed")
        return false
      }
    }
  }

  /// One life of the agent, and of its client, which does not know whether its input has come.
  static func work(_ folder: String) async throws {
    let key = FileKeyProvider(path: folder + "/agent.key", createsIfMissing: true)
    let store = try SQLiteSessionStore(path: folder + "/agent.db", key: key)
    var settings = ApplicationSettings()
    settings.durability = .everyEvent
    try await Application.withRunning(
      manifest: [.init("JobAgent", JobAgent.init)], store: store, settings: settings
    ) { application in
      let known = application.openSessions.first
      let session =
        if let known { known.id } else { try await application.activateSceneSession().id }
      let client = try await application.attach(
        to: session, as: ClientIdentifier(high: 1, low: 1), nextInput: known == nil ? 1 : 2)
      try await client.send("draw a map", number: 1)
      while let output = await client.next() {
        guard case .frame(let frame) = output else { continue }
        print(frame.content.string)
        fflush(nil)
        if frame.content == "finished" { return }
      }
    }
    try await store.close()
  }
}
