// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// The names of CloudKit that UIKit's connection options have.
public enum CKShare: Sendable {
  /// An accepted share: it names no content, so that the most recently active session gets it.
  public final class Metadata: NSObject, Sendable {
    /// The share as the runtime has it.
    let value: ShareMetadata

    init(_ value: ShareMetadata) {
      self.value = value
      super.init()
    }
  }
}
