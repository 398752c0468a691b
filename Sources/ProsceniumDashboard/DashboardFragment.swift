// SPDX-License-Identifier: Apache-2.0

/// A part of the page that is redrawn at every update.
public struct DashboardFragment: Sendable, Hashable {
  /// How long the HTML of one fragment may be, in bytes.
  public static let sizeLimit = 1 << 18

  /// The name, up to 64 letters, digits and hyphens; others are left out.
  public let id: String

  /// The HTML, with every text in it escaped.
  public let html: String

  /// Creates a fragment.
  ///
  /// - Parameters:
  ///   - id: The name.
  ///   - html: The HTML. What is longer than ``sizeLimit`` is replaced by a sentence that says so.
  public init(id: String, html: String) {
    self.id = String(
      String.UnicodeScalarView(
        id.unicodeScalars.filter { scalar in
          scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "-")
            || ("0"..."9").contains(scalar)
        }.prefix(64)))
    self.html =
      html.utf8.count <= Self.sizeLimit
      ? html : "<p>This part is longer than \(Self.sizeLimit) bytes and is not shown.</p>"
  }

  /// Creates a fragment of the page's own, whose length is bounded by what it is made of.
  init(unchecked id: String, html: String) {
    self.id = id
    self.html = html
  }
}
