// SPDX-License-Identifier: Apache-2.0

/// A field of text, which only the program writes.
@MainActor
open class UITextField: UIView {
  /// The text.
  open var text: String? = ""
  /// What is shown while there is no text.
  open var placeholder: String?
  /// Whether the text would be hidden.
  open var isSecureTextEntry = false
}
