// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSAttributedString.Key {
  /// The colour of a text.
  public static let foregroundColor = NSAttributedString.Key("NSColor")
  /// The font of a text.
  public static let font = NSAttributedString.Key("NSFont")
}
