// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// What the writer of a crash test tells the program that will kill it: one line of text each.
///
/// A line is written by one call to the system and is shorter than what a pipe takes as a whole, so
/// that lines of several tasks never mix, and each is there as a whole or not at all.
package enum CrashReport: Hashable, Sendable {
  /// The store holds a session, with the state of so many writes, and with its place in the order
  /// of activations.
  case found(SessionIdentifier, sequence: Int, counter: UInt64 = 0)
  /// Everything that the store holds has been told.
  case ready
  /// A state is durable: `sendDurably` returned.
  case durable(SessionIdentifier, sequence: Int)
  /// An effect ran that waited until a state is durable.
  case effect(SessionIdentifier, sequence: Int)
  /// A state may not be durable: `sendDurably` threw an error with a code.
  case refused(SessionIdentifier, sequence: Int, code: String)
  /// A session is about to be activated.
  case activating(SessionIdentifier)
  /// A session was activated.
  case activated(SessionIdentifier)
  /// The second is over after which the store has to have the activation in its place.
  case ordered(SessionIdentifier)
  /// A session is about to be discarded.
  case leaving(SessionIdentifier)
  /// The discard of a session is durable.
  case gone(SessionIdentifier)
  /// Something is not as it has to be, in words.
  case wrong(String)

  /// The longest line in bytes, with its end: what POSIX promises to keep together.
  package static let lineLimit = 512

  /// The report as a line, with its end.
  package var line: String {
    switch self {
    case .found(let session, let sequence, let counter): "found \(session) \(sequence) \(counter)\n"
    case .ready: "ready\n"
    case .durable(let session, let sequence): "durable \(session) \(sequence)\n"
    case .effect(let session, let sequence): "effect \(session) \(sequence)\n"
    case .refused(let session, let sequence, let code): "refused \(session) \(sequence) \(code)\n"
    case .activating(let session): "activating \(session)\n"
    case .ordered(let session): "ordered \(session)\n"
    case .activated(let session): "activated \(session)\n"
    case .leaving(let session): "leaving \(session)\n"
    case .gone(let session): "gone \(session)\n"
    case .wrong(let text): Self.wrongLine(text)
    }
  }

  private static func wrongLine(_ text: String) -> String {
    let plain = text.map { $0.isNewline ? " " : $0 }
    return "wrong " + String(decoding: String(plain).utf8.prefix(lineLimit - 16), as: UTF8.self)
      + "\n"
  }

  /// Reads a line, without its end.
  ///
  /// - Returns: nil where the text is no report.
  package init?(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    switch words.first {
    case "ready" where words.count == 1: self = .ready
    case "wrong": self = .wrong(String(line.dropFirst(6)))
    default:
      guard words.count >= 2, let session = SessionIdentifier(String(words[1])) else { return nil }
      self.init(words, session)
    }
  }

  private init?(_ words: [Substring], _ session: SessionIdentifier) {
    if words.count == 2 {
      switch words[0] {
      case "activating": self = .activating(session)
      case "activated": self = .activated(session)
      case "ordered": self = .ordered(session)
      case "leaving": self = .leaving(session)
      case "gone": self = .gone(session)
      default: return nil
      }
      return
    }
    guard let sequence = Int(words[2]) else { return nil }
    switch (words[0], words.count) {
    case ("found", 4):
      guard let counter = UInt64(words[3]) else { return nil }
      self = .found(session, sequence: sequence, counter: counter)
    case ("durable", 3): self = .durable(session, sequence: sequence)
    case ("effect", 3): self = .effect(session, sequence: sequence)
    case ("refused", 4): self = .refused(session, sequence: sequence, code: String(words[3]))
    default: return nil
    }
  }
}
