// SPDX-License-Identifier: Apache-2.0

extension SceneSession {
  /// Makes a session that no application has, for tests of what a program does with one.
  ///
  /// - Parameters:
  ///   - stored: What it holds.
  ///   - configuration: Its configuration; if nil, what the row remembers of one.
  package init(_ stored: StoredSession, configuration: SceneConfiguration?) {
    self.init(
      persistentIdentifier: stored.persistentIdentifier,
      configuration: configuration ?? stored.storedConfiguration.configuration,
      details: stored.details)
  }
}
