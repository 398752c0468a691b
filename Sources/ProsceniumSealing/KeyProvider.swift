// SPDX-License-Identifier: Apache-2.0

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
