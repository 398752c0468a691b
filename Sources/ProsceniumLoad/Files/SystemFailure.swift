// SPDX-License-Identifier: Apache-2.0

/// Reports that a call to the operating system failed, by its error number.
struct SystemFailure: Error, Hashable, Sendable {
  /// The number of the error, as the system gave it.
  let number: Int32
  /// The system's own words for it, such as `Permission denied`.
  let text: String
  /// Says whether the file does not exist.
  let isMissingFile: Bool
  /// Says whether a directory stands where a file was wanted.
  let isDirectory: Bool
  /// Says whether the reader of a pipe has closed it.
  var isClosedPipe = false
}
