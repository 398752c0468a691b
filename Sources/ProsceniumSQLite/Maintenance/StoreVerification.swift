// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// Checks everything that a store keeps, without changing it, also while an application uses it.
///
/// It reads every page, row and segment, and opens every saved state whose key is still there. No
/// file is made or changed: the folder may be one that cannot be written.
public enum StoreVerification: Sendable {
  /// Checks a store.
  ///
  /// Nothing else in the process may have the store open, other than a ``SQLiteSessionStore``.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - key: Where the application key comes from.
  ///   - progress: Is told how many segments of how many were checked; from the beginning if a
  ///     program began to write to the store meanwhile, so that it is checked again.
  /// - Returns: What was found.
  /// - Throws: A ``StoreError`` if the file cannot be used as a store at all: `unusable`,
  ///   `newerVersion`, `wrongKey`; whatever the provider throws; or what the system refuses.
  public static func run(
    _ path: String, key: any KeyProvider, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> StoreReport {
    try StoreView.retrying { () throws(StoreError) in
      // The log is looked at first: SQLite would take what is damaged in it for its end.
      let log = try damagedLog(of: path)
      var verifier = try StoreVerifier(path, key)
      if let log { verifier.report.add(log) }
      try verifier.view.read { () throws(StoreError) in try verifier.checkAll(progress) }
      return verifier.report
    }
  }

  private static func damagedLog(of path: String) throws(StoreError) -> StoreError? {
    guard let location = try? StoreLocation(path) else { return nil }
    let wasHeld = StoreLock.isHeld(location)
    let damage = try LogScan.damage(in: location.path, readsIndex: !wasHeld)
    // Somebody may have begun to write meanwhile.
    if damage == nil || wasHeld || !StoreLock.isHeld(location) { return damage }
    return try LogScan.damage(in: location.path, readsIndex: false)
  }
}
