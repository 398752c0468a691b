// SPDX-License-Identifier: Apache-2.0

/// An application key in a file that only its user can read.
///
/// The file holds 64 hexadecimal digits; during a rotation the previous key follows on a second
/// line. A file of 32 bytes that are not digits is a primary key too. The file must belong to the
/// process's user and have the mode 0600, or a stricter one.
public struct FileKeyProvider: KeyProvider {
  /// The path of the file.
  public let path: String

  /// Whether a key is made where there is no file.
  public let createsIfMissing: Bool

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - createsIfMissing: Whether a random key is written where there is no file. It is on the
  ///     disk before it is used; an existing file is never overwritten, and two processes
  ///     that find none at once use the same key.
  public init(path: String, createsIfMissing: Bool = true) {
    self.path = path
    self.createsIfMissing = createsIfMissing
  }

  /// Reads the file, or makes it.
  ///
  /// - Throws: `keyUnavailable` if there is no file and none is to be made, if it belongs to
  ///   another user, if others can read it, or if it holds something else than keys; `failed` if
  ///   the system refuses to read or to write it.
  public func keys() throws(SealingError) -> ApplicationKeys {
    var generator = SystemRandomness()
    return try keys(using: &generator)
  }

  /// Reads the file, or makes it from numbers of the generator.
  func keys(
    using generator: inout some RandomNumberGenerator
  ) throws(SealingError) -> ApplicationKeys {
    let file = KeyFile(path: path)
    if let keys = try keys(in: file) { return keys }
    guard createsIfMissing else {
      throw SealingError(.keyUnavailable, "key file \(path): expected a file, found none.")
    }
    var key = (0..<ApplicationKeys.keySize).map { _ in UInt8.random(in: 0...255, using: &generator)
    }
    defer { key.wipe() }
    var text = KeyText.line(key)
    defer { text.wipe() }
    try file.create(text)
    if let keys = try keys(in: file) { return keys }
    throw SealingError(
      .keyUnavailable, "key file \(path): expected the file that was just made, found none.")
  }

  private func keys(in file: KeyFile) throws(SealingError) -> ApplicationKeys? {
    guard var bytes = try file.read() else { return nil }
    defer { bytes.wipe() }
    if bytes.count == ApplicationKeys.keySize, !KeyText.isHexadecimal(bytes) {
      return try ApplicationKeys(primary: bytes)
    }
    return try KeyText.keys(in: bytes, separatedBy: "\n", place: "key file \(path)")
  }
}
