// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a store gets the application key from, which wraps the keys of all sessions.
///
/// A store asks when it is opened, and again whenever it needs a key and has none: a provider may
/// refuse for a while, such as on a device that is locked, and states are then neither sealed nor
/// opened (R-SR-6).
public protocol KeyProvider: Sendable {
  /// Returns the application's keys as they are now.
  ///
  /// It may read a file, and is called from any thread.
  ///
  /// - Throws: A ``SealingError``, `keyUnavailable` as a rule. Its message must not hold a key.
  func keys() throws(SealingError) -> ApplicationKeys
}

extension KeyProvider where Self == FileKeyProvider {
  /// A key in a file, which is made if there is none.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The provider.
  public static func file(_ path: String) -> FileKeyProvider {
    FileKeyProvider(path: path)
  }
}

extension KeyProvider where Self == EnvironmentKeyProvider {
  /// A key in a variable of the process's environment.
  ///
  /// - Parameter name: The name of the variable.
  /// - Returns: The provider.
  public static func environment(_ name: String) -> EnvironmentKeyProvider {
    EnvironmentKeyProvider(name: name)
  }
}

extension KeyProvider where Self == CallbackKeyProvider {
  /// A key that a function of the program's own returns.
  ///
  /// - Parameter keys: Is asked for the keys, from any thread.
  /// - Returns: The provider.
  public static func callback(
    _ keys: @escaping @Sendable () throws -> ApplicationKeys
  ) -> CallbackKeyProvider {
    CallbackKeyProvider(keys)
  }
}

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

/// An application key in a variable of the process's environment.
///
/// The variable holds 64 hexadecimal digits; during a rotation a comma and those of the previous
/// key follow. Other processes of the same user can read a process's environment, and so can the
/// processes that it starts: a file is the better place.
public struct EnvironmentKeyProvider: KeyProvider {
  /// The name of the variable.
  public let name: String

  /// Creates a provider.
  ///
  /// - Parameter name: The name of the variable.
  public init(name: String) {
    self.name = name
  }

  /// Reads the variable.
  ///
  /// - Throws: `keyUnavailable` if it is not set or holds something else.
  public func keys() throws(SealingError) -> ApplicationKeys {
    guard let value = unsafe getenv(name) else {
      throw SealingError(
        .keyUnavailable,
        "environment variable \(name): expected a key of \(KeyText.digitCount) hexadecimal"
          + " digits, found no such variable.")
    }
    var text = unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    defer { text.wipe() }
    return try KeyText.keys(in: text, separatedBy: ",", place: "environment variable \(name)")
  }
}

/// An application key that a function of the program's own returns, such as from a key service.
public struct CallbackKeyProvider: KeyProvider {
  private let body: @Sendable () throws -> ApplicationKeys

  /// Creates a provider.
  ///
  /// - Parameter keys: Is asked for the keys, from any thread. A ``SealingError`` of it is passed
  ///   on; any other error becomes `keyUnavailable` with its description.
  public init(_ keys: @escaping @Sendable () throws -> ApplicationKeys) {
    body = keys
  }

  /// Asks the function.
  ///
  /// - Throws: Its error.
  public func keys() throws(SealingError) -> ApplicationKeys {
    do {
      return try body()
    } catch let error as SealingError {
      throw error
    } catch {
      throw SealingError(.keyUnavailable, "the program gave no application key: \(error)")
    }
  }
}
