// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A view, which holds what it is given and draws nothing.
@MainActor
open class UIView: UIResponder, UITraitEnvironment, UIAppearance {
  /// The part of its own coordinates that it shows.
  open var bounds: CGRect
  /// Its middle in the coordinates of its superview.
  open var center: CGPoint
  /// How opaque it is, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether it is left out.
  open var isHidden = false
  /// Whether its subviews end at its bounds.
  open var clipsToBounds = false
  /// A number to find it by.
  open var tag = 0
  /// The colour behind its content.
  open var backgroundColor: UIColor?
  /// Whether touches reach it.
  open var isUserInteractionEnabled = true
  /// The style that holds here and below, unless it is unspecified.
  open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
  /// How content would be fitted into its bounds.
  open var contentMode = ContentMode.scaleToFill
  /// A name for tests of the interface.
  open var accessibilityIdentifier: String?
  /// The views in it, from the back to the front.
  open private(set) var subviews: [UIView] = []
  /// The view that it is in.
  open private(set) weak var superview: UIView?

  weak var controller: UIViewController?
  private var tint: UIColor?

  /// Makes a view with a frame.
  public init(frame: CGRect) {
    bounds = CGRect(origin: .zero, size: frame.size)
    center = CGPoint(x: frame.midX, y: frame.midY)
    super.init()
  }

  /// Makes a view without a frame; the coder is not read.
  public required init?(coder: NSCoder) {
    bounds = .zero
    center = .zero
    super.init()
  }

  /// Makes a view without a frame.
  public convenience override init() { self.init(frame: .zero) }

  /// The controller whose view it is, else its superview.
  open override var next: UIResponder? { controller ?? superview }

  /// Where it is in its superview.
  open var frame: CGRect {
    get {
      CGRect(
        x: center.x - bounds.width / 2, y: center.y - bounds.height / 2, width: bounds.width,
        height: bounds.height)
    }
    set {
      bounds.size = newValue.size
      center = CGPoint(x: newValue.midX, y: newValue.midY)
    }
  }

  /// The colour of what can be tapped, which it has of its superview unless it was set.
  open var tintColor: UIColor! {
    get { tint ?? superview?.tintColor ?? .tintColor }
    set { tint = newValue }
  }

  /// The window that it is in.
  open var window: UIWindow? {
    var view: UIView? = self
    while let one = view, !(one is UIWindow) { view = one.superview }
    return view as? UIWindow
  }

  /// The traits that hold here.
  open var traitCollection: UITraitCollection {
    let above = controller?.traitCollection ?? superview?.traitCollection
    return (above ?? .current).with(overrideUserInterfaceStyle)
  }

  /// Adds a view in front of the others.
  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Adds a view at a place among the others, and takes it out of where it was.
  open func insertSubview(_ view: UIView, at index: Int) {
    guard !isDescendant(of: view) else { return }
    let shows = window?.isShown == true
    if shows { Visibility.begin(true, view) }
    view.takeOut(hides: !shows)
    subviews.insert(view, at: min(max(index, 0), subviews.count))
    view.superview = self
    if shows { Visibility.end(true, view) }
  }

  /// Adds a view in front of one of the others.
  open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
    view.removeFromSuperview()
    let index = subviews.firstIndex { $0 === siblingSubview }
    insertSubview(view, at: index.map { $0 + 1 } ?? subviews.count)
  }

  /// Takes the view out of its superview.
  open func removeFromSuperview() { takeOut(hides: true) }

  private func takeOut(hides: Bool) {
    guard let old = superview else { return }
    let leaves = hides && window?.isShown == true
    if leaves { Visibility.begin(false, self) }
    old.subviews.removeAll { $0 === self }
    superview = nil
    if leaves { Visibility.end(false, self) }
  }

  /// Moves one of its views before the others.
  open func bringSubviewToFront(_ view: UIView) {
    guard view.superview === self else { return }
    subviews.removeAll { $0 === view }
    subviews.append(view)
  }

  /// Says whether a view is this one or one that it is in.
  open func isDescendant(of view: UIView) -> Bool {
    var one: UIView? = self
    while let current = one, current !== view { one = current.superview }
    return one != nil
  }

  /// Returns the first of the view and those in it that has a tag.
  open func viewWithTag(_ tag: Int) -> UIView? {
    if self.tag == tag { return self }
    for view in subviews {
      if let found = view.viewWithTag(tag) { return found }
    }
    return nil
  }

  /// Says whether something was written in it, which is never so.
  @discardableResult
  open func endEditing(_ force: Bool) -> Bool { false }

  /// Does nothing: nothing is laid out.
  open func layoutIfNeeded() {}

  /// Returns a view of the same size that shows nothing.
  open func snapshotView(afterScreenUpdates afterUpdates: Bool) -> UIView? { UIView(frame: frame) }

  /// Says whether a point is in its bounds.
  open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { bounds.contains(point) }

  /// Returns the foremost view at a point that touches reach.
  open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    guard isUserInteractionEnabled, !isHidden, alpha > 0.01, self.point(inside: point, with: event)
    else { return nil }
    for view in subviews.reversed() {
      let place = CGPoint(
        x: point.x - view.frame.minX + view.bounds.minX,
        y: point.y - view.frame.minY + view.bounds.minY)
      if let hit = view.hitTest(place, with: event) { return hit }
    }
    return self
  }

  /// Returns the proxy that holds how such views should look.
  open class func appearance() -> UIView { Proxies.of { UIView() } }

  /// How content is fitted into the bounds of a view.
  public enum ContentMode: Int, Sendable {
    /// It has their size and shape.
    case scaleToFill
    /// It keeps its shape, and all of it is seen.
    case scaleAspectFit
    /// It keeps its shape, and fills them.
    case scaleAspectFill
    /// It is in the middle.
    case center = 4
  }
}
