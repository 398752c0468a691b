// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is known of the place where something would be shown: a large device in some style.
public final class UITraitCollection: NSObject, Sendable {
  /// Whether it is light or dark.
  public let userInterfaceStyle: UIUserInterfaceStyle
  /// The kind of device, a tablet.
  public let userInterfaceIdiom = UIUserInterfaceIdiom.pad
  /// Whether it is narrow or wide, which is wide.
  public let horizontalSizeClass = UIUserInterfaceSizeClass.regular
  /// Whether it is low or high, which is high.
  public let verticalSizeClass = UIUserInterfaceSizeClass.regular

  private init(_ style: UIUserInterfaceStyle) {
    userInterfaceStyle = style
  }

  /// The traits in the light style, which hold everywhere unless overridden.
  public static let current = UITraitCollection(.light)

  /// Says whether colours may differ from those under other traits.
  public func hasDifferentColorAppearance(comparedTo other: UITraitCollection?) -> Bool {
    userInterfaceStyle != other?.userInterfaceStyle
  }

  /// Says whether another object is a collection of the same traits.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UITraitCollection)?.userInterfaceStyle == userInterfaceStyle
  }

  /// The hash that goes with `isEqual(_:)`.
  public override var hash: Int { userInterfaceStyle.hashValue }

  /// The same traits in another style, unless it is unspecified.
  func with(_ style: UIUserInterfaceStyle) -> UITraitCollection {
    style == .unspecified || style == userInterfaceStyle ? self : UITraitCollection(style)
  }
}
