// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import Proscenium
  import ProsceniumPrimitives

  /// One thing that a node did, as its history has it.
  struct HistoryEntry: Sendable, Equatable {
    /// What was done.
    enum Kind: String, Sendable {
      /// A scene was connected with a count.
      case loaded = "L"
      /// A count is durable, as its sender was told.
      case acknowledged = "A"
      /// A scene was given a sender's message, the count is its number.
      case given = "G"
      /// A sender's call was answered by a scene, the count is the message that it sent before.
      case answered = "C"
      /// A sender was told that its message is lost, the count is its number.
      case lost = "X"
    }

    var kind: Kind
    var session: SessionIdentifier
    /// The epoch and the node in which the scene was connected.
    var tenure: CountReply.Tenure
    var count: Int
    /// Who sent the message that it is about; 0 if it is about none.
    var sender: UInt64 = 0

    /// A line of a history.
    var line: String {
      "\(kind.rawValue) \(session) \(tenure.epoch) \(count) \(tenure.node) \(sender)\n"
    }

    init(
      _ kind: Kind, _ session: SessionIdentifier, _ tenure: CountReply.Tenure, count: Int,
      sender: UInt64
    ) {
      self.kind = kind
      self.session = session
      self.tenure = tenure
      self.count = count
      self.sender = sender
    }

    /// Reads a line; nil for one that was cut short by the end of its process.
    init?(_ line: some StringProtocol) {
      let words = line.split(separator: " ")
      guard words.count == 6, let kind = Kind(rawValue: String(words[0])),
        let session = SessionIdentifier(String(words[1])), let epoch = UInt32(words[2]),
        let count = Int(words[3]), let node = Int32(words[4]), let sender = UInt64(words[5])
      else { return nil }
      self.init(
        kind, session, CountReply.Tenure(epoch: epoch, node: node), count: count,
        sender: sender)
    }
  }

  /// Writes the history of a process, so that a kill leaves everything that was written.
  final class HistoryWriter: Sendable {
    private let file: Guarded<FileHandle>
    /// When a count was last acknowledged.
    private let last = Guarded(ContinuousClock.now)

    init(_ path: String) throws {
      if !FileManager.default.fileExists(atPath: path) {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
      }
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.seekToEnd()
      file = Guarded(handle)
    }

    /// Tells the trial that counts are acknowledged again, after none were for a while.
    private func sayIfItWasQuiet() {
      let now = ContinuousClock.now
      let pause = last.withLock { last in
        defer { last = now }
        return now - last
      }
      if pause > .milliseconds(250) { say("goes on") }
    }

    func write(
      _ kind: HistoryEntry.Kind, _ session: SessionIdentifier, _ tenure: CountReply.Tenure,
      _ count: Int, sender: UInt64 = 0
    ) {
      let entry = HistoryEntry(kind, session, tenure, count: count, sender: sender)
      file.withLock { file in
        // One call of the system for each line: it is there when the process is killed.
        try? file.write(contentsOf: Data(entry.line.utf8))
      }
      if kind == .acknowledged { sayIfItWasQuiet() }
    }
  }
#endif
