// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Calls that would take order, time or failure out of the embedder's hands.
extension Rule {
  static let calls = Rule("calls", appliesTo: { $0.isInSources && $0.isSwift }) { file, _ in
    var violations: [Violation] = []
    for call in BannedCall.all where file.text.contains(call.needle) {
      let pattern = try simpleRegex(call.pattern)
      violations += file.violations(in: file.code, call.subject, call.instead) {
        $0.contains(call.needle) && $0.contains(pattern)
      }
    }
    return violations
  }
}

/// A call that Sources do not make, and what they do instead.
struct BannedCall: Sendable {
  let subject: String
  /// A plain text that stands wherever the pattern matches: cheap to look for first.
  let needle: String
  let pattern: String
  let instead: String

  static let all = [
    BannedCall(
      subject: "Task {", needle: "Task", pattern: #"\bTask\s*(?:<[^>]*>\s*)?[({]"#,
      instead: "nobody awaits such a task: use a child task of run()"),
    BannedCall(
      subject: "Task.detached", needle: "Task.", pattern: #"\bTask\.(?:detached|immediate)"#,
      instead: "it leaves the injected executor: use a child task of run()"),
    BannedCall(
      subject: "Task.sleep", needle: "Task.", pattern: #"\bTask\.sleep\b"#,
      instead: "sleep on the injected clock"),
    BannedCall(
      subject: "@unchecked Sendable", needle: "@unchecked", pattern: #"@unchecked\b"#,
      instead: "guard the state, so that the compiler can check it"),
    BannedCall(
      subject: "nonisolated(unsafe)", needle: "(unsafe)", pattern: #"nonisolated\(unsafe\)"#,
      instead: "guard the state, or move it into an actor"),
    BannedCall(
      subject: "fatalError", needle: "fatalError", pattern: #"\bfatalError\("#,
      instead: "throw a typed error, or state a precondition in a sentence"),
    BannedCall(
      subject: "try!", needle: "try!", pattern: #"\btry!"#,
      instead: "handle the error, or let the caller"),
    BannedCall(
      subject: "clock.now", needle: "Clock",
      pattern: #"\b(?:Continuous|Suspending)Clock(?:\(\))?\.now\b"#,
      instead: "ask the injected clock"),
    BannedCall(
      subject: "Date()", needle: "Date", pattern: #"\bDate(?:\(\)|\.now\b)"#,
      instead: "ask the injected clock"),
    BannedCall(
      subject: "random", needle: ".",
      pattern: #"\.(?:random|randomElement|shuffled?)\((?!.*using:)"#,
      instead: "draw from the injected generator with using:"),
    BannedCall(
      subject: "print", needle: "rint(", pattern: #"(?:^|[^.\w])(?:debugP|p)rint\("#,
      instead: "whether it was written is not known: a program has one throwing way to say things"),
    BannedCall(
      subject: "FileHandle.standardOutput", needle: "FileHandle",
      pattern: #"\bFileHandle\.standard(?:Output|Error)\b"#,
      instead: "a program has one throwing way to say things"),
    BannedCall(
      subject: "UUID()", needle: "UUID()", pattern: #"\bUUID\(\)"#,
      instead: "ask the injected source of identifiers"),
    BannedCall(
      subject: "import Dispatch", needle: "Dispatch", pattern: #"\bimport\s+Dispatch\b"#,
      instead: "queues know nothing of the injected executor"),
  ]
}
