// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import ProsceniumTestKit
import Testing

@testable import Jotter

/// The test of Docs/TESTING.md that runs in many orders.
@Suite struct NoteOrderTests {
  @Test(arguments: UInt64(1)...50)
  func `each window keeps its own text, whatever happens first`(seed: UInt64) throws {
    let executor = SeededExecutor(seed: seed)
    let texts = try executor.run {
      let device = TestDevice(manifest: .jotter, settings: { $0.taskExecutor = executor })
      try await device.launch(.background)
      await withThrowingTaskGroup { group in
        for note in ["garden", "shopping", "travel"] {
          group.addTask { try await Self.write(note, on: device) }
        }
      }
      try await device.relaunch(.connectAll)
      return try await Self.texts(on: device)
    }
    #expect(texts == ["garden", "shopping", "travel"])
  }

  /// Opens a window, writes its name into it, and leaves it.
  private static func write(_ name: String, on device: TestDevice) async throws {
    let session = try await device.host.drop(OpenURLContext("note:\(name)"))
    try await device.visit(session.id, NoteSceneDelegate.self) { delegate, _ in
      delegate.note.type(name)
    }
    try await device.host.perform(.background(session.id))
  }

  private static func texts(on device: TestDevice) async throws -> [String] {
    var texts: [String] = []
    for session in device.sessions {
      texts.append(
        try await device.visit(session.id, NoteSceneDelegate.self) { delegate, _ in
          delegate.note.text
        })
    }
    return texts.sorted()
  }
}
