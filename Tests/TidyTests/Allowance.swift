// SPDX-License-Identifier: Apache-2.0

/// A place that may break a rule, and why.
///
/// This list is the only way around a rule.
struct Allowance: Sendable {
  /// A file, or a folder with a `/` at its end.
  let path: String
  /// The violation's subject, word for word.
  let subject: String
  /// A sentence.
  let reason: String

  func covers(_ violation: Violation) -> Bool {
    violation.subject == subject && concerns(violation.path)
  }

  func concerns(_ file: String) -> Bool {
    file == path || path.hasSuffix("/") && file.hasPrefix(path)
  }

  static let all = [
    Allowance(
      path: "Docs/PERFORMANCE.md", subject: "plain words",
      reason: "Its tables are printed by make bench, with the names of the benchmarks."),
    Allowance(
      path: "Sources/Proscenium/Concurrency/Spawner.swift", subject: "Task {",
      reason: "It starts the one task that goes on when run() is cancelled, and run() awaits it."),
    Allowance(
      path: "Sources/Proscenium/Settings/ApplicationSettings.swift", subject: "Date()",
      reason: "It is the default of the clock that is injected."),
    Allowance(
      path: "Sources/ProsceniumLoad/Load/Run/LoadDriver.swift", subject: "import Dispatch",
      reason: "Its queue is an executor itself: a thread for a sender, apart from the pool."),
    Allowance(
      path: "Sources/ProsceniumUIKit/Application/MainQueue.swift", subject: "import Dispatch",
      reason: "UIKit's handlers are called on the main queue, after what runs there."),
    Allowance(
      path: "Sources/ProsceniumUIKit/Process/UIKitProgram+process.swift",
      subject: "Task.detached",
      reason: "A callback that is asynchronous begins at once, and the device awaits it."),
    Allowance(
      path: "Sources/ProsceniumLoadNodes/ParentSignals.swift", subject: "import Dispatch",
      reason: "Only a queue tells of signals without a thread that waits for them."),
    Allowance(
      path: "Sources/ProsceniumPostgres/Connection/LineExecutor.swift", subject: "import Dispatch",
      reason: "It is an executor itself: who waits for a network does so apart from the pool."),
    Allowance(
      path: "Sources/ProsceniumSQLite/", subject: "import Dispatch",
      reason: "The writer's queue is an executor itself: its calls block, apart from the pool."),
  ]
}
