// SPDX-License-Identifier: Apache-2.0

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
