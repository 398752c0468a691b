// SPDX-License-Identifier: Apache-2.0

/// How the text in the status bar looks.
public enum UIStatusBarStyle: Int, Sendable {
  /// It depends on the interface style.
  case `default`
  /// Light text.
  case lightContent
  /// Dark text.
  case darkContent = 3
}
