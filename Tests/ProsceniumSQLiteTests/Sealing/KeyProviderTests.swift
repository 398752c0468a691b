// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
@testable import ProsceniumSealing
import Testing

@Suite struct KeyProviderTests {
  private static let digits = String(repeating: "0123456789abcdef", count: 4)
  private static let others = String(repeating: "FEDCBA9876543210", count: 4)

  @Test func `a key has 32 bytes`() throws {
    _ = try ApplicationKeys(primary: Bytes(repeating: 1, count: 32))
    for count in [0, 16, 31, 33, 64] {
      let bytes = Bytes(repeating: 1, count: count)
      let error = #expect(throws: SealingError.self) { try ApplicationKeys(primary: bytes) }
      #expect(error?.code == .keyUnavailable)
      #expect(
        error?.message == "expected 32 bytes for the primary application key, found \(count).")
      #expect(throws: SealingError.self) {
        try ApplicationKeys(primary: Bytes(repeating: 1, count: 32), previous: bytes)
      }
    }
  }

  @Test(arguments: [
    digits, digits + "\n", "  " + digits.uppercased() + "\r\n\n", digits + "\n" + others,
    digits + "\n" + others + "\n",
  ])
  func `a file holds a key in digits, and perhaps the one before it`(text: String) throws {
    let folder = try TemporaryFolder()
    let keys = try FileKeyProvider(path: try folder.file("k", Bytes(text.utf8))).keys()
    let hasPrevious = text.contains("FEDC")
    let expected = try ApplicationKeys(
      primary: Bytes(hexadecimal: Self.digits),
      previous: hasPrevious ? Bytes(hexadecimal: Self.others) : nil)
    expectEqual(keys, expected)
    #expect((keys.previous != nil) == hasPrevious)
  }

  @Test func `a file of 32 bytes is a key`() throws {
    let folder = try TemporaryFolder()
    let bytes = Bytes(100..<132)
    let keys = try FileKeyProvider(path: try folder.file("k", bytes)).keys()
    expectEqual(keys, try ApplicationKeys(primary: bytes))
  }

  @Test(arguments: [
    ("", "expected a key of 64 hexadecimal digits, found 0 characters"),
    ("0123456789abcdef0123456789abcdef", "digits, found 32 characters"),
    (String(digits.dropLast()) + "g", "found something else at character 63 or 64."),
    (digits + "0", "found 65 characters"),
    (digits + "\n" + "12", "found 2 characters"),
    (digits + "\n" + digits + "\n" + digits, "found 3 keys"),
    (String(repeating: digits, count: 5), "expected a file of at most 256 bytes"),
  ])
  func `a file that holds something else is refused without showing it`(
    text: String, expected: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("k", Bytes(text.utf8))
    let error = #expect(throws: SealingError.self) { try FileKeyProvider(path: path).keys() }
    #expect(error?.code == .keyUnavailable)
    #expect(error?.message.hasPrefix("key file \(path): ") == true)
    #expect(error?.message.contains(expected) == true, "\(String(describing: error))")
    #expect(error?.message.contains("0123456789") == false)
  }

  @Test(arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o644, false)])
  func `no other user may be able to read the file`(mode: Int, isAllowed: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("k", Bytes(Self.digits.utf8), mode: mode)
    if isAllowed {
      _ = try FileKeyProvider(path: path).keys()
    } else {
      let error = #expect(throws: SealingError.self) { try FileKeyProvider(path: path).keys() }
      #expect(error?.code == .keyUnavailable)
      let found = "expected the mode 0600, found 0\(String(mode, radix: 8)): use chmod 600."
      #expect(error?.message.hasSuffix(found) == true)
    }
  }

  @Test func `what is no file, or not there, is refused`() throws {
    let folder = try TemporaryFolder()
    let directory = #expect(throws: SealingError.self) {
      try FileKeyProvider(path: folder.path).keys()
    }
    #expect(directory?.message.contains("expected an ordinary file") == true)
    let missing = #expect(throws: SealingError.self) {
      try FileKeyProvider(path: folder.path("k"), createsIfMissing: false).keys()
    }
    #expect(missing?.code == .keyUnavailable)
    #expect(missing?.message.hasSuffix("expected a file, found none.") == true)
    let nowhere = #expect(throws: SealingError.self) {
      try FileKeyProvider(path: folder.path("none/k")).keys()
    }
    #expect(nowhere?.code == .failed)
    #expect(folder.names.isEmpty)
  }

  @Test func `a missing file is made once, for its user alone`() throws {
    let folder = try TemporaryFolder()
    let provider = FileKeyProvider.file(folder.path("k"))
    let first = try provider.keys()
    expectEqual(try provider.keys(), first)
    #expect(folder.names == ["k"])
    let attributes = try FileManager.default.attributesOfItem(atPath: provider.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == 65)
    let other = try FileKeyProvider.file(folder.path("l")).keys()
    #expect(other.primary != first.primary)
  }

  @Test func `all that make the file at once get the same key`() async throws {
    let folder = try TemporaryFolder()
    for round in 0..<20 {
      let provider = FileKeyProvider(path: folder.path("\(round)"))
      let keys = try await withThrowingTaskGroup(of: ApplicationKeys.self) { group in
        for _ in 0..<8 { group.addTask { try provider.keys() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let first = try #require(keys.first)
      #expect(keys.count == 8)
      for other in keys { expectEqual(other, first) }
    }
    #expect(folder.names.count == 20)
  }

  @Test func `a variable of the environment holds keys in digits`() throws {
    // The variables are set and read in this test alone.
    unsafe setenv("PROSCENIUM_TEST_KEY", Self.digits, 1)
    unsafe setenv("PROSCENIUM_TEST_KEYS", Self.digits + "," + Self.others, 1)
    unsafe setenv("PROSCENIUM_TEST_OTHER", "0123456789", 1)
    let primary = Bytes(hexadecimal: Self.digits)
    let one = try EnvironmentKeyProvider.environment("PROSCENIUM_TEST_KEY").keys()
    expectEqual(one, try ApplicationKeys(primary: primary))
    let two = try EnvironmentKeyProvider.environment("PROSCENIUM_TEST_KEYS").keys()
    expectEqual(
      two, try ApplicationKeys(primary: primary, previous: Bytes(hexadecimal: Self.others)))
    for name in ["PROSCENIUM_TEST_OTHER", "PROSCENIUM_TEST_NONE"] {
      let error = #expect(throws: SealingError.self) {
        try EnvironmentKeyProvider(name: name).keys()
      }
      #expect(error?.code == .keyUnavailable)
      #expect(error?.message.hasPrefix("environment variable \(name): ") == true)
      #expect(error?.message.contains("0123456789") == false)
    }
  }

  @Test func `a function of the program's gives keys, or its error`() throws {
    struct Locked: Error {}
    let keys = try ApplicationKeys(primary: Bytes(repeating: 3, count: 32))
    expectEqual(try CallbackKeyProvider.callback { keys }.keys(), keys)
    let own = SealingError(.keyUnavailable, "the device is locked.")
    #expect(throws: own) { try CallbackKeyProvider { throw own }.keys() }
    let other = #expect(throws: SealingError.self) {
      try CallbackKeyProvider { throw Locked() }.keys()
    }
    #expect(other?.code == .keyUnavailable)
    #expect(other?.message == "the program gave no application key: Locked()")
  }

  private func expectEqual(_ keys: ApplicationKeys, _ expected: ApplicationKeys) {
    #expect(keys.primary == expected.primary)
    #expect(keys.previous == expected.previous)
  }
}
