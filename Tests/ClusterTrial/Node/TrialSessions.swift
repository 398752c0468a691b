// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives

  /// The sessions of a trial, which its nodes tell one another by files in one folder.
  final class TrialSessions: Sendable {
    private static let suffix = ".sessions"
    private let history: String
    private let known = Guarded<[SessionIdentifier]>([])

    init(nextTo history: String) {
      self.history = history
    }

    var all: [SessionIdentifier] { known.withLock { $0 } }

    /// Tells the others which sessions this process has made.
    func tell(_ sessions: [SessionIdentifier]) throws {
      let text = sessions.map { "\($0)\n" }.joined()
      try text.write(toFile: history + Self.suffix, atomically: true, encoding: .utf8)
    }

    /// Reads those of all processes.
    func read() {
      let folder = URL(fileURLWithPath: history).deletingLastPathComponent()
      let files =
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
        ?? []
      let texts = files.filter { $0.lastPathComponent.hasSuffix(Self.suffix) }
        .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
      let sessions = texts.flatMap { text in
        text.split(separator: "\n").compactMap { SessionIdentifier(String($0)) }
      }
      known.withLock { $0 = sessions }
    }
  }
#endif
