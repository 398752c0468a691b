// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// A state of a ``SavedStateCorpus`` that does not become what is expected.
public struct SavedStateCorpusFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the file, within the folder.
  public let file: String

  /// What is wrong, as part of a sentence; of two texts that differ, the first line that does.
  public let difference: String

  /// Why the state was not restored, if it was not.
  public let error: SavedStateError?

  init(_ file: String, _ difference: String, _ error: SavedStateError? = nil) {
    self.file = file
    self.difference = difference
    self.error = error
  }

  /// The file and what is wrong.
  public var description: String { "\(file): \(difference)" }
}
