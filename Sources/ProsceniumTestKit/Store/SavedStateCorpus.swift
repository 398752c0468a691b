// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Foundation
public import Proscenium

/// Saved states of earlier versions of a program, kept in its repository to prove that today's
/// program restores them.
///
/// Of each state there are two files in one folder: `NAME_VERSION.state` has the bytes as they were
/// saved and is never written again; `NAME_VERSION.json` has what the state is to become when it is
/// restored today, as `SavedState.json(version:dataLimit:)` shows it. When a program ships a
/// version, it records a few of its states; from then on a test verifies that they are restored.
/// After a new migration the expectations are renewed, and a reviewer of the change sees in the
/// JSON what the migration makes of old states.
public struct SavedStateCorpus: Sendable {
  /// The path of the folder.
  public let folder: String

  /// Names a corpus.
  ///
  /// - Parameter folder: The path of the folder; ``record(_:as:version:)`` makes it if it is
  ///   missing.
  public init(folder: String) {
    self.folder = folder
  }

  /// Keeps a state of a version that ships.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - name: What the state shows, such as `two-windows`: up to 64 letters, digits and hyphens.
  ///   - version: The program's version of the state.
  /// - Throws: ``SavedStateCorpusError``: `alreadyRecorded` if there is a state of the name and
  ///   version, `invalidName`, `unwritable`, or `notEncoded` if the state is too large.
  public func record(
    _ state: SavedState, as name: String, version: StateVersion
  ) throws(SavedStateCorpusError) {
    guard Self.isName(name) else {
      throw SavedStateCorpusError(
        .invalidName, name, "expected up to 64 letters, digits and hyphens.")
    }
    let base = "\(name)_\(version)"
    let bytes: [UInt8]
    do throws(SavedStateError) {
      bytes = try state.encoded(version: version)
    } catch {
      throw SavedStateCorpusError(.notEncoded, base, "\(error)")
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // What was saved once is never written over.
      try Data(bytes).write(to: url(base + ".state"), options: .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw SavedStateCorpusError(
        .alreadyRecorded, base + ".state", "expected a name that has no state of this version.")
    } catch {
      throw SavedStateCorpusError(.unwritable, base + ".state", "\(error)")
    }
    try write(state.json(version: version), to: base)
  }

  /// Restores every state and compares what it becomes with what is expected.
  ///
  /// - Parameter migrations: Those of today's program.
  /// - Returns: What is wrong, in the order of the files' names; nothing if every state becomes
  ///   what is expected.
  /// - Throws: ``SavedStateCorpusError``: `unreadable` if a file or the folder cannot be read,
  ///   `empty` if there is no state.
  public func verify(
    with migrations: StateMigrations = StateMigrations()
  ) throws(SavedStateCorpusError) -> [SavedStateCorpusFailure] {
    var failures: [SavedStateCorpusFailure] = []
    let names = try fileNames()
    for file in names.states {
      let base = String(file.dropLast(".state".count))
      let restored = restore(try read(file), file, migrations)
      let expected = names.expectations.contains(base) ? try read(base + ".json") : nil
      switch restored {
      case .failure(let failure): failures.append(failure)
      case .success(let state):
        let found = state.json(version: migrations.current)
        let difference = Self.difference(expected, found)
        if let difference { failures.append(SavedStateCorpusFailure(file, difference)) }
      }
    }
    for base in names.expectations.sorted() where !names.states.contains(base + ".state") {
      failures.append(SavedStateCorpusFailure(base + ".json", "its state is missing"))
    }
    return failures
  }

  /// Writes what every state becomes today as what is expected from now on.
  ///
  /// Read the change before you commit it. States that are not restored keep their expectations.
  ///
  /// - Parameter migrations: Those of today's program.
  /// - Returns: The states that are not restored.
  /// - Throws: ``SavedStateCorpusError``: `unreadable`, `empty` or `unwritable`.
  public func renewExpectations(
    with migrations: StateMigrations
  ) throws(SavedStateCorpusError) -> [SavedStateCorpusFailure] {
    var failures: [SavedStateCorpusFailure] = []
    for file in try fileNames().states {
      switch restore(try read(file), file, migrations) {
      case .failure(let failure): failures.append(failure)
      case .success(let state):
        try write(
          state.json(version: migrations.current), to: String(file.dropLast(".state".count)))
      }
    }
    return failures
  }

  private func restore(
    _ bytes: Data, _ file: String, _ migrations: StateMigrations
  ) -> Result<SavedState, SavedStateCorpusFailure> {
    do throws(SavedStateError) {
      let version = try SavedState.version(of: Array(bytes))
      guard file.hasSuffix("_\(version).state") else {
        return .failure(
          SavedStateCorpusFailure(file, "the state is of version \(version), not of its name's"))
      }
      return .success(try migrations.restore(Array(bytes)))
    } catch {
      return .failure(SavedStateCorpusFailure(file, "\(error)", error))
    }
  }

  // MARK: - Files

  private func fileNames() throws(SavedStateCorpusError) -> (
    states: [String], expectations: Set<String>
  ) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw SavedStateCorpusError(.unreadable, folder, "\(error)")
    }
    let states = names.filter { $0.hasSuffix(".state") }.sorted()
    guard !states.isEmpty else {
      throw SavedStateCorpusError(.empty, folder, "expected one file NAME_VERSION.state at least.")
    }
    let expectations = names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    return (states, Set(expectations))
  }

  private func read(_ file: String) throws(SavedStateCorpusError) -> Data {
    do {
      return try Data(contentsOf: url(file))
    } catch {
      throw SavedStateCorpusError(.unreadable, file, "\(error)")
    }
  }

  private func write(_ text: String, to base: String) throws(SavedStateCorpusError) {
    do {
      try Data(text.utf8).write(to: url(base + ".json"), options: .atomic)
    } catch {
      throw SavedStateCorpusError(.unwritable, base + ".json", "\(error)")
    }
  }

  private func url(_ file: String) -> URL {
    URL(fileURLWithPath: folder).appendingPathComponent(file)
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || character == "-")
      }
  }

  // MARK: - Differences

  /// The first line in which two texts differ, or nil.
  private static func difference(_ expected: Data?, _ found: String) -> String? {
    guard let expected else { return "there is no expectation next to it" }
    if expected.elementsEqual(found.utf8) { return nil }
    let (old, new) = (lines(String(decoding: expected, as: UTF8.self)), lines(found))
    let number = zip(old, new).prefix { $0 == $1 }.count
    func shown(_ lines: [String]) -> String {
      number < lines.count ? JSONValue.excerpt(lines[number]) : "the end"
    }
    return "line \(number + 1): expected \(shown(old)), found \(shown(new))"
  }

  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Why a ``SavedStateCorpus`` cannot be read or written.
public struct SavedStateCorpusError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error.
  ///
  /// The set is open: a program must expect codes that it does not know.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, as in `Docs/ERRORS.md`.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The name of a state has other characters than letters, digits and hyphens.
    public static let invalidName = Code("invalidName")
    /// There is a state of the name and version.
    public static let alreadyRecorded = Code("alreadyRecorded")
    /// The state is larger than its limits.
    public static let notEncoded = Code("notEncoded")
    /// There is no state in the folder.
    public static let empty = Code("empty")
    /// A file or the folder cannot be read.
    public static let unreadable = Code("unreadable")
    /// A file or the folder cannot be written.
    public static let unwritable = Code("unwritable")
  }

  /// The kind of the error.
  public let code: Code

  /// The file or the folder.
  public let path: String

  /// What was expected or found, as a sentence.
  public let message: String

  init(_ code: Code, _ path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// The path, the code and the sentence.
  public var description: String { "\(path): \(code): \(message)" }
}

/// A state of a ``SavedStateCorpus`` that does not become what is expected.
public struct SavedStateCorpusFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the file, within the folder.
  public let file: String

  /// What is wrong, as part of a sentence; of two texts that differ, the first line that does.
  public let difference: String

  /// Why the state was not restored, if it was not.
  public let error: SavedStateError?

  init(_ file: String, _ difference: String, _ error: SavedStateError? = nil) {
    self.file = file
    self.difference = difference
    self.error = error
  }

  /// The file and what is wrong.
  public var description: String { "\(file): \(difference)" }
}
