// SPDX-License-Identifier: Apache-2.0

public import Proscenium

extension SceneSession {
  /// Makes a session for a test, such as one of a function that chooses configurations.
  ///
  /// No application has it: requests that name it are refused with `sessionNotOpen`. In a program
  /// sessions come from the application alone (R-ID-2).
  ///
  /// - Parameters:
  ///   - stored: What the session holds.
  ///   - configuration: The configuration; if nil, one without a delegate that has the names which
  ///     the row gives.
  public init(testing stored: StoredSession, configuration: SceneConfiguration? = nil) {
    self.init(stored, configuration: configuration)
  }

  /// Makes a session for a test, with a counted identifier.
  ///
  /// - Parameters:
  ///   - number: The number of its identifier.
  ///   - configuration: The configuration.
  public init(testing number: UInt64, configuration: SceneConfiguration) {
    self.init(
      StoredSession(persistentIdentifier: .number(number), role: configuration.role),
      configuration: configuration)
  }
}
