// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
