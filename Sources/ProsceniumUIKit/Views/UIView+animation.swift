// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension UIView {
  /// How an animation would run.
  public struct AnimationOptions: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set of its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Touches reach the views in it.
    public static let allowUserInteraction = AnimationOptions(rawValue: 2)
    /// It begins and ends slowly.
    public static let curveEaseInOut: AnimationOptions = []
    /// It begins slowly.
    public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
    /// It ends slowly.
    public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
    /// The view turns from the left.
    public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
    /// The view turns from the right.
    public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
    /// The views change into each other.
    public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
  }

  /// Runs both functions at once.
  public static func animate(
    withDuration duration: TimeInterval, animations: @escaping () -> Void,
    completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }

  /// Runs both functions at once, without the delay.
  public static func animate(
    withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
    animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
  ) {
    animations()
    completion?(true)
  }

  /// Runs both functions at once.
  public static func transition(
    with view: UIView, duration: TimeInterval, options: AnimationOptions = [],
    animations: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    animations?()
    completion?(true)
  }

  /// Puts a view in the place of another one at once.
  public static func transition(
    from fromView: UIView, to toView: UIView, duration: TimeInterval,
    options: AnimationOptions = [], completion: ((Bool) -> Void)? = nil
  ) {
    fromView.superview?.insertSubview(toView, aboveSubview: fromView)
    fromView.removeFromSuperview()
    completion?(true)
  }

  /// Runs a function.
  public static func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    actionsWithoutAnimation()
  }
}
