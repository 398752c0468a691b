// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumTestKit
import Testing

@Suite struct SavedStateCorpusTests {
  /// The states of this repository, in the forms of all versions.
  private static let repository = SavedStateCorpus(folder: repositoryFolder("saved-states"))

  private static func repositoryFolder(_ name: String, filePath: String = #filePath) -> String {
    URL(fileURLWithPath: filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Suites/\(name)").path
  }

  @Test func `states in the forms of all versions are decoded as ever`() throws {
    let migrations = try StateMigrations(
      current: 300, steps: [0, 1].map { .init(from: $0, to: 300) { _ in } })
    let failures = try Self.repository.verify(with: migrations)
    #expect(failures.isEmpty)
  }

  @Test func `states of all versions of the form are encoded as ever`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.repository.folder)
    let states = files.filter { $0.hasSuffix(".state") }
    #expect(states.count >= 6)
    for file in states {
      let url = URL(fileURLWithPath: Self.repository.folder).appendingPathComponent(file)
      let bytes = Array(try Data(contentsOf: url))
      #expect(bytes.first == (file.hasPrefix("clients") ? 3 : file.hasPrefix("wakes") ? 2 : 1))
      let version = try SavedState.version(of: bytes)
      let again = try SavedState(decoding: bytes).encoded(version: version)
      #expect(again == bytes, "\(file)")
    }
  }

  // MARK: - The corpus itself

  private static let old = SavedState(
    activity: UserActivity("note", userInfo: ["text": "milk", "size": 12]))

  private static let migrations = try? StateMigrations(
    current: 2,
    steps: [
      .init(from: 1, to: 2) { state in
        let text = state.activity?.userInfo.removeValue(forKey: "text")
        state.activity?.userInfo["lines"] = .array([text ?? .null])
      }
    ])

  @Test func `what was recorded is verified, and a migration has to be looked at`() throws {
    try withFolder { corpus in
      let migrations = try #require(Self.migrations)
      let first = try StateMigrations(current: 1, steps: [])
      try corpus.record(Self.old, as: "shopping", version: 1)
      let none = try corpus.verify(with: first)
      #expect(none.isEmpty)
      let outdated = try corpus.verify(with: migrations)
      #expect(
        outdated.map(\.description) == [
          #"shopping_1.state: line 2: expected "  \"version\": 1,", found "  \"version\": 2,""#
        ])
      let kept = try corpus.renewExpectations(with: migrations)
      #expect(kept.isEmpty)
      let renewed = try corpus.verify(with: migrations)
      #expect(renewed.isEmpty)
      #expect(try contents(corpus, "shopping_1.json").contains("\"lines\": ["))
    }
  }

  @Test func `a migration that changes its mind is found`() throws {
    try withFolder { corpus in
      try corpus.record(Self.old, as: "a", version: 1)
      _ = try corpus.renewExpectations(with: try #require(Self.migrations))
      let other = try StateMigrations(
        current: 2, steps: [.init(from: 1, to: 2) { $0.activity?.userInfo["lines"] = [] }])
      let failures = try corpus.verify(with: other)
      #expect(
        failures.first?.difference
          == #"line 6: expected "      \"lines\": [", found "      \"lines\": [],""#)
    }
  }

  @Test func `a state that is not restored fails with its error`() throws {
    try withFolder { corpus in
      try corpus.record(Self.old, as: "a", version: 1)
      try corpus.record(Self.old, as: "b", version: 3)
      let failures = try corpus.verify(with: try #require(Self.migrations))
      #expect(failures.map(\.file) == ["a_1.state", "b_3.state"])
      #expect(failures.last?.error?.code == .newerState)
      let kept = try corpus.renewExpectations(with: try #require(Self.migrations))
      #expect(kept.map(\.file) == ["b_3.state"])
    }
  }

  @Test func `files that do not fit together fail`() throws {
    try withFolder { corpus in
      try corpus.record(Self.old, as: "a", version: 1)
      try corpus.record(Self.old, as: "b", version: 1)
      let folder = URL(fileURLWithPath: corpus.folder)
      let files = FileManager.default
      try files.removeItem(at: folder.appendingPathComponent("a_1.json"))
      try files.moveItem(
        at: folder.appendingPathComponent("b_1.state"),
        to: folder.appendingPathComponent("c_2.state"))
      let failures = try corpus.verify(with: try #require(Self.migrations))
      #expect(
        failures.map(\.description) == [
          "a_1.state: there is no expectation next to it",
          "c_2.state: the state is of version 1, not of its name's",
          "b_1.json: its state is missing",
        ])
    }
  }

  @Test func `what was recorded is not written over`() throws {
    try withFolder { corpus in
      try corpus.record(Self.old, as: "a", version: 1)
      #expect(
        code { () throws(SavedStateCorpusError) in
          try corpus.record(SavedState(), as: "a", version: 1)
        } == .alreadyRecorded)
      let failures = try corpus.verify(with: try StateMigrations(current: 1, steps: []))
      #expect(failures.isEmpty)
    }
  }

  @Test(arguments: ["", "a b", "../a", "a_1", "é", "a.b", String(repeating: "a", count: 65)])
  func `other names are refused`(name: String) throws {
    try withFolder { corpus in
      #expect(
        code { () throws(SavedStateCorpusError) in
          try corpus.record(Self.old, as: name, version: 1)
        } == .invalidName)
    }
  }

  @Test func `a folder without states, or none, is an error`() throws {
    try withFolder { corpus in
      let verify = { () throws(SavedStateCorpusError) in _ = try corpus.verify() }
      #expect(code(verify) == .unreadable)
      try FileManager.default.createDirectory(
        atPath: corpus.folder, withIntermediateDirectories: true)
      #expect(code(verify) == .empty)
    }
  }

  @Test func `a state that is too large, or a folder that cannot be, is an error`() throws {
    let large = SavedState(
      activity: UserActivity("a", userInfo: ["b": .data(.init(repeating: 0, count: 2 << 20))]))
    try withFolder { corpus in
      #expect(
        code { () throws(SavedStateCorpusError) in
          try corpus.record(large, as: "a", version: 1)
        } == .notEncoded)
      let impossible = SavedStateCorpus(folder: "/dev/null/folder")
      #expect(
        code { () throws(SavedStateCorpusError) in
          try impossible.record(Self.old, as: "a", version: 1)
        } == .unwritable)
    }
  }

  private func code(
    _ body: () throws(SavedStateCorpusError) -> Void
  ) -> SavedStateCorpusError.Code? {
    do throws(SavedStateCorpusError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  private func contents(_ corpus: SavedStateCorpus, _ file: String) throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: corpus.folder).appendingPathComponent(file),
      encoding: .utf8)
  }

  private func withFolder(_ body: (SavedStateCorpus) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(SavedStateCorpus(folder: folder.appendingPathComponent("states").path))
  }
}
