// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A question to the user, which is never answered.
@MainActor
open class UIAlertController: UIViewController {
  /// The text below the title.
  open var message: String?
  /// How it is presented.
  open private(set) var preferredStyle = Style.alert
  /// The answers.
  open private(set) var actions: [UIAlertAction] = []
  /// Where the user would write, if anywhere.
  open private(set) var textFields: [UITextField]?

  /// Makes a question without answers.
  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  /// Adds an answer.
  open func addAction(_ action: UIAlertAction) { actions.append(action) }

  /// Adds a field, which the function gets; nothing is written there but by the program.
  open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
    let field = UITextField()
    textFields = (textFields ?? []) + [field]
    configurationHandler?(field)
  }

  /// How a question is presented.
  public enum Style: Int, Sendable {
    /// At the bottom.
    case actionSheet
    /// In the middle.
    case alert
  }
}

/// An answer.
@MainActor
open class UIAlertAction: NSObject {
  /// Its text.
  public let title: String?
  /// What it means.
  public let style: Style

  /// Makes an answer; it is never given, so that the handler is not called.
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    self.title = title
    self.style = style
    super.init()
  }

  /// What an answer means.
  public enum Style: Int, Sendable {
    /// Nothing in particular.
    case `default`
    /// That nothing is done.
    case cancel
    /// That something is lost.
    case destructive
  }
}
