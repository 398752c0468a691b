// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller of up to three columns, which are all shown unless they are hidden.
@MainActor
open class UISplitViewController: UIViewController {
  /// How many columns there are.
  public let style: Style
  /// Which columns it would rather show.
  open var preferredDisplayMode = DisplayMode.automatic
  /// How the columns would rather share the width.
  open var preferredSplitBehavior = SplitBehavior.automatic
  /// The part of the width that the first column would rather have.
  open var preferredPrimaryColumnWidthFraction = UISplitViewController.automaticDimension
  /// The least width of the first column.
  open var minimumPrimaryColumnWidth = UISplitViewController.automaticDimension
  /// The greatest width of the first column.
  open var maximumPrimaryColumnWidth = UISplitViewController.automaticDimension
  /// What is behind the first column.
  open var primaryBackgroundStyle = BackgroundStyle.none
  /// What would decide where there is little room.
  open weak var delegate: (any UISplitViewControllerDelegate)?
  /// The button that would show and hide the first column.
  open private(set) lazy var displayModeButtonItem = UIBarButtonItem()

  private var columns: [Column: UIViewController] = [:]
  private var hidden: Set<Column> = []

  /// Says that the system chooses a width.
  public static let automaticDimension: CGFloat = -.greatestFiniteMagnitude

  /// Makes a controller of columns.
  public init(style: Style) {
    self.style = style
    super.init(nibName: nil, bundle: nil)
  }

  /// Makes a controller of two controllers that are set together.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    style = .unspecified
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Makes a controller of two controllers that are set together; the coder is not read.
  public required init?(coder: NSCoder) {
    style = .unspecified
    super.init(coder: coder)
  }

  /// The controllers in it, from the first column to the last.
  open var viewControllers: [UIViewController] {
    get { children }
    set { replaceChildren(newValue, animated: false) }
  }

  /// Whether the columns share one place, which they do not, since there is always room.
  open var isCollapsed: Bool { false }

  /// Which columns it shows.
  open var displayMode: DisplayMode {
    if preferredDisplayMode != .automatic { return preferredDisplayMode }
    return style == .tripleColumn ? .twoBesideSecondary : .oneBesideSecondary
  }

  override var wanted: [UIViewController]? {
    let gone = hidden.compactMap { columns[$0].map(inNavigation) }
    return children.filter { one in !gone.contains { $0 === one } }
  }

  /// Sets the controller of a column; a navigation controller is put around it.
  open func setViewController(_ vc: UIViewController?, for column: Column) {
    columns[column] = vc
    let shown = Column.sides.compactMap { columns[$0].map(inNavigation) }
    replaceChildren(shown, animated: false)
  }

  /// Returns the controller that was set for a column.
  open func viewController(for column: Column) -> UIViewController? { columns[column] }

  /// Shows a column.
  open func show(_ column: Column) {
    guard hidden.remove(column) != nil else { return }
    showWanted(animated: true)
  }

  /// Hides a column.
  open func hide(_ column: Column) {
    guard columns[column] != nil, hidden.insert(column).inserted else { return }
    showWanted(animated: true)
  }

  /// Replaces the last column.
  open override func showDetailViewController(_ vc: UIViewController, sender: Any?) {
    if style == .unspecified {
      replaceChildren(children.prefix(1) + [vc], animated: true)
    } else {
      setViewController(vc, for: .secondary)
    }
  }

  private func inNavigation(_ controller: UIViewController) -> UIViewController {
    if controller is UINavigationController { return controller }
    return controller.navigationController ?? UINavigationController(rootViewController: controller)
  }

  /// A column.
  public enum Column: Int, Sendable {
    /// The first one.
    case primary
    /// The one in the middle.
    case supplementary
    /// The last one.
    case secondary
    /// What is shown where there is little room.
    case compact

    fileprivate static let sides = [Column.primary, .supplementary, .secondary]
  }

  /// How many columns there are.
  public enum Style: Int, Sendable {
    /// The controllers are set together.
    case unspecified
    /// Two.
    case doubleColumn
    /// Three.
    case tripleColumn
  }

  /// Which columns are shown.
  public enum DisplayMode: Int, Sendable {
    /// The system chooses.
    case automatic
    /// The last one.
    case secondaryOnly
    /// The last one and one at its side.
    case oneBesideSecondary
    /// The last one and one over it.
    case oneOverSecondary
    /// The last one and two at its side.
    case twoBesideSecondary
    /// The last one and two over it.
    case twoOverSecondary
    /// The last one, moved by two.
    case twoDisplaceSecondary

    /// The last one and one at its side.
    public static let allVisible = DisplayMode.oneBesideSecondary
  }

  /// How columns share the width.
  public enum SplitBehavior: Int, Sendable {
    /// The system chooses.
    case automatic
    /// Next to each other.
    case tile
    /// Over each other.
    case overlay
    /// The last one is moved.
    case displace
  }

  /// What is behind the first column.
  public enum BackgroundStyle: Int, Sendable {
    /// Nothing.
    case none
    /// The material of a side bar.
    case sidebar
  }
}
