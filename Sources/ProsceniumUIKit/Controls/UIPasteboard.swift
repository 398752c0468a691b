// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A pasteboard, which holds a text for the program itself.
@MainActor
open class UIPasteboard: NSObject {
  /// The pasteboard of the process.
  public static let general = UIPasteboard()

  /// The text on it.
  open var string: String?

  private override init() { super.init() }
}
