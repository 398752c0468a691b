// SPDX-License-Identifier: Apache-2.0

/// A view of text.
@MainActor
open class UILabel: UIView {
  /// The text.
  open var text: String?
  /// Its colour.
  open var textColor: UIColor! = .label
}
