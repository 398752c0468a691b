// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a bar should look.
@MainActor
open class UIBarAppearance: NSObject {
  /// The colour behind the bar.
  open var backgroundColor: UIColor?
  /// The image behind the bar.
  open var backgroundImage: UIImage?
  /// The colour of the line along the bar.
  open var shadowColor: UIColor?
  /// The image of the line along the bar.
  open var shadowImage: UIImage?

  /// Makes the default look.
  public override init() { super.init() }

  /// Sets the background that bars have by themselves.
  open func configureWithDefaultBackground() { set(color: nil, shadow: .separator) }

  /// Sets a background that nothing shines through.
  open func configureWithOpaqueBackground() { set(color: .systemBackground, shadow: .separator) }

  /// Sets no background.
  open func configureWithTransparentBackground() { set(color: nil, shadow: nil) }

  private func set(color: UIColor?, shadow: UIColor?) {
    backgroundColor = color
    backgroundImage = nil
    shadowColor = shadow
    shadowImage = nil
  }
}

/// How a navigation bar should look.
@MainActor
open class UINavigationBarAppearance: UIBarAppearance {
  /// The attributes of the title.
  open var titleTextAttributes: [NSAttributedString.Key: Any] = [:]
  /// The attributes of a large title.
  open var largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]
}

/// How a tab bar should look.
@MainActor
open class UITabBarAppearance: UIBarAppearance {
  /// The colour behind the selected item.
  open var selectionIndicatorTintColor: UIColor?
}
