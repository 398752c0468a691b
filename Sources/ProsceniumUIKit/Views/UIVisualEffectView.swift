// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a view would do to what is behind it.
@MainActor
open class UIVisualEffect: NSObject {}

/// An effect that makes what is behind a view unsharp.
@MainActor
open class UIBlurEffect: UIVisualEffect {
  private let style: Style

  /// Makes an effect of a style.
  public init(style: Style) {
    self.style = style
    super.init()
  }

  /// How bright the effect is.
  public enum Style: Int, Sendable {
    /// The brightest one.
    case extraLight
    /// A bright one.
    case light
    /// A dark one.
    case dark
    /// As the interface is.
    case regular = 4
    /// As the interface is, and striking.
    case prominent
    /// A material of the system, of which little is seen through.
    case systemUltraThinMaterial
    /// A thin material of the system.
    case systemThinMaterial
    /// A material of the system.
    case systemMaterial
    /// A thick material of the system.
    case systemThickMaterial
  }
}

/// A view with an effect, as programs put one over what is not to be seen in the background.
@MainActor
open class UIVisualEffectView: UIView {
  /// The effect.
  open var effect: UIVisualEffect?
  /// Where views in front of the effect are put.
  public let contentView = UIView()

  /// Makes a view with an effect, without a size.
  public init(effect: UIVisualEffect?) {
    self.effect = effect
    super.init(frame: .zero)
    addSubview(contentView)
  }

  /// Makes a view with a frame, without an effect.
  public override init(frame: CGRect) {
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Makes a view without an effect and without a frame; the coder is not read.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    addSubview(contentView)
  }
}
