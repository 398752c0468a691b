// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
public import Proscenium

/// Writes down what happens to an application and its scenes, line by line.
///
/// A ``TestDevice`` has a recorder of its own; for another application it is added to the settings
/// by ``recordApplication(madeWith:)``. It can record applications that follow one another over one
/// store.
public final class TimelineRecorder: Sendable {
  /// What is written down.
  public struct Contents: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates contents from their bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// What the delegates are asked and told.
    public static let callbacks = Contents(rawValue: 1)
    /// What UIKit posts as notifications, each after the callback that causes it.
    public static let notifications = Contents(rawValue: 2)
    /// The passes of the switcher's snapshots.
    public static let snapshots = Contents(rawValue: 4)
    /// Which session an event was routed to, and by which rule.
    public static let routes = Contents(rawValue: 8)
    /// Why scenes connected, disconnected and sessions were discarded.
    public static let reasons = Contents(rawValue: 16)
    /// What failed, what was lost, and what the runtime did by a rule that surprises people.
    public static let diagnostics = Contents(rawValue: 32)
    /// Launches and ends of a ``TestDevice``'s processes.
    public static let processes = Contents(rawValue: 64)

    /// Callbacks, diagnostics and processes: what most tests are about.
    public static let standard: Contents = [.callbacks, .diagnostics, .processes]
    /// Everything.
    public static let all = Contents(rawValue: 127)
  }

  private struct State: Sendable {
    var lines: [String] = []
    var takenCount = 0
    var missedCount = 0
    var instances: [SessionIdentifier: Int] = [:]

    mutating func append(_ line: String) {
      guard lines.count < TimelineRecorder.lineLimit else {
        missedCount += 1
        return
      }
      lines.append(line)
    }

    var note: [String] { missedCount == 0 ? [] : ["… and \(missedCount) more lines"] }
  }

  /// How many lines are kept; of those beyond it the last line tells the number.
  public static let lineLimit = 100_000

  /// What is written down.
  public let contents: Contents

  private let state = Guarded(State())

  /// Creates a recorder that records nothing yet.
  public init(_ contents: Contents = .standard) {
    self.contents = contents
  }

  /// Everything that was written down so far.
  public var timeline: Timeline {
    state.withLock { Timeline(lines: $0.lines + $0.note) }
  }

  /// Returns what was written down since the last call.
  public func take() -> Timeline {
    state.withLock { state in
      defer { state.takenCount = state.lines.count }
      return Timeline(lines: state.lines[state.takenCount...] + state.note)
    }
  }

  /// Records the application that will be made with these settings.
  ///
  /// An observer that the settings have already is told of each event after the recorder. The
  /// callbacks of scene delegates are recorded by an object that wraps each delegate and
  /// passes them on; `scene.delegate` is the program's delegate all the same.
  ///
  /// - Parameter settings: The settings, which change.
  public func recordApplication(madeWith settings: inout ApplicationSettings) {
    settings.otherObservers.append(LifecycleObserver { self.record($0) })
    if contents.contains(.callbacks) {
      settings.makeFront = { RecordingSceneDelegate($0, self) }
    }
  }

  /// Writes down an event, for a program that observes its application itself.
  public func record(_ event: LifecycleEvent) {
    state.withLock { state in
      if let session = event.session, case .connected = event.kind {
        state.instances[session, default: 0] += 1
      }
      guard let (kind, text) = event.timelineText, contents.contains(kind) else { return }
      state.append("\(subject(of: event, state)).\(text)")
    }
  }

  /// Writes down a callback of a scene.
  func record(_ callback: String, of scene: SessionIdentifier) {
    state.withLock { $0.append("\(label(of: scene, $0)).\(callback)") }
  }

  /// Writes down what has no session, if it is wanted.
  func record(_ line: String, as kind: Contents) {
    guard contents.contains(kind) else { return }
    state.withLock { $0.append(line) }
  }

  /// The name of a session's connected scene.
  func label(of session: SessionIdentifier) -> String {
    state.withLock { label(of: session, $0) }
  }

  private func label(of session: SessionIdentifier, _ state: borrowing State) -> String {
    "\(session.label)#\(state.instances[session] ?? 0)"
  }

  private func subject(of event: LifecycleEvent, _ state: borrowing State) -> String {
    guard let session = event.session else { return "app" }
    return event.isAboutScene ? label(of: session, state) : session.label
  }
}
