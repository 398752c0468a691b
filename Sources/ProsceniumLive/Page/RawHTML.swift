// SPDX-License-Identifier: Apache-2.0

/// HTML that goes into a page as it is: the only way around the escapes of ``PageBuilder``.
///
/// A page that makes one from what a user has written shows that user's HTML to everyone. The
/// content security policy of ``LiveServer`` keeps scripts in it from running.
public struct RawHTML: Sendable, Hashable {
  /// The HTML: whole elements, whose ends are all there.
  public let html: String

  /// Creates HTML that is trusted.
  public init(trusted html: String) {
    self.html = html
  }
}
