// SPDX-License-Identifier: Apache-2.0

/// What was typed and belongs to one window: what is kept here is cleared when the window is
/// closed.
@MainActor
final class Drafts {
  static let shared = Drafts()

  private var texts: [String: String] = [:]

  subscript(window: String) -> String? {
    get { texts[window] }
    set { texts[window] = newValue }
  }
}
