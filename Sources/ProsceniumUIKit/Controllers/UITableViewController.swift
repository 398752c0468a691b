// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A controller whose view is a table.
@MainActor
open class UITableViewController: UIViewController {
  private let style: UITableView.Style

  /// Makes one with a table of a style.
  public init(style: UITableView.Style) {
    self.style = style
    super.init(nibName: nil, bundle: nil)
  }

  /// Makes one with a plain table; the file of its view is not read.
  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    style = .plain
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  /// Makes one with a plain table; the coder is not read.
  public required init?(coder: NSCoder) {
    style = .plain
    super.init(coder: coder)
  }

  /// The table, which is the view unless a class has made another one.
  open var tableView: UITableView! {
    get { view as? UITableView }
    set { view = newValue }
  }

  /// Makes the table.
  open override func loadView() {
    view = UITableView(frame: UIScreen.main.bounds, style: style)
  }
}
