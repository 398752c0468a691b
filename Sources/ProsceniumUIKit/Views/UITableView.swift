// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A view of rows, which asks nothing for them and has none.
@MainActor
open class UITableView: UIView {
  /// How the rows would look.
  public let style: Style

  /// Makes a table of a style.
  public init(frame: CGRect, style: Style) {
    self.style = style
    super.init(frame: frame)
  }

  /// Makes a plain table.
  public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

  /// Makes a plain table; the coder is not read.
  public required init?(coder: NSCoder) {
    style = .plain
    super.init(coder: coder)
  }

  /// Does nothing: there are no rows.
  open func reloadData() {}

  /// How the rows of a table look.
  public enum Style: Int, Sendable {
    /// One below the other.
    case plain
    /// In groups.
    case grouped
    /// In groups with round corners.
    case insetGrouped
  }
}
