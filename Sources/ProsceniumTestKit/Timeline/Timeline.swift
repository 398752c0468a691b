// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// What happened to an application and its scenes, as lines of text in the order of events.
///
///     app.didFinishLaunching
///     S1#1.willConnect({url:[app://1]})
///     S1#1.willEnterForeground
///     S1#1.didBecomeActive
///
/// `S1` names a session and `S1#2` the second scene that was connected to it; see
/// <doc:ReadingTimelines> for all lines. A timeline is compared with what a test expects by
/// ``difference(from:)-(ExpectedTimeline)``.
public struct Timeline: Sendable, Hashable {
  /// The lines, none of which holds a line break.
  public let lines: [String]

  /// Creates a timeline from lines.
  ///
  /// - Parameter lines: The lines; a line break in one of them divides it.
  public init(lines: [String]) {
    self.lines = lines.flatMap { line in
      line.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
  }

  /// Compares the timeline with an expected one.
  ///
  /// - Parameter expected: What should have happened.
  /// - Returns: Where they differ first, with the lines around it, to be shown to people; nil if
  ///   they do not differ.
  public func difference(from expected: ExpectedTimeline) -> String? {
    var comparison = TimelineComparison(expected: expected, recorded: lines)
    return comparison.difference()
  }

  /// Compares the timeline with the text of an expected one.
  ///
  /// - Parameter text: What should have happened, as ``ExpectedTimeline/init(_:)-(String)`` reads
  ///   it.
  /// - Returns: As ``difference(from:)-(ExpectedTimeline)``; for a text that cannot be read, the
  ///   reason.
  public func difference(from text: String) -> String? {
    do {
      return difference(from: try ExpectedTimeline(text))
    } catch {
      return "the expected timeline cannot be read: \(error)"
    }
  }

  /// The lines of one session: those of its scenes, and those about itself.
  ///
  /// - Parameter session: The session.
  /// - Returns: A timeline of these lines, in their order.
  public func lines(of session: some SessionNaming) -> Timeline {
    let label = session.persistentIdentifier.label
    return Timeline(
      lines: lines.filter { $0.hasPrefix("\(label).") || $0.hasPrefix("\(label)#") })
  }
}

extension Timeline: CustomStringConvertible {
  /// The lines, each with a line break at its end.
  public var description: String {
    lines.map { "\($0)\n" }.joined()
  }
}
