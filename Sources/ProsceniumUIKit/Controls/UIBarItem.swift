// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An item of a bar.
@MainActor
open class UIBarItem: NSObject, UIAppearance {
  /// Its text.
  open var title: String?
  /// Its image.
  open var image: UIImage?
  /// A number to find it by.
  open var tag = 0
  /// Whether it can be used.
  open var isEnabled = true
  /// A name for tests of the interface.
  open var accessibilityIdentifier: String?

  /// Makes an item.
  public override init() { super.init() }
}
