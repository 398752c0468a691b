// SPDX-License-Identifier: Apache-2.0

/// The elements that a page is made of; those that run or load programs are not among them.
public enum PageTag: String, Sendable, Hashable, CaseIterable {
  case a, abbr, address, article, aside, b, blockquote, br, button, caption, cite, code, col
  case colgroup, dd, del, details, dfn, div, dl, dt, em, fieldset, figcaption, figure, footer, form
  case h1, h2, h3, h4, h5, h6, header, hgroup, hr, i, img, input, ins, kbd, label, legend, li
  case main, mark, menu, meter, nav, ol, optgroup, option, output, p, pre, progress, q, s, samp
  case search, section, select, small, span, strong, sub, summary, sup, table, tbody, td, textarea
  case tfoot, th, thead, time, tr, u, ul, `var`, wbr

  /// Whether the element has no content and no end.
  var isVoid: Bool {
    switch self {
    case .br, .col, .hr, .img, .input, .wbr: true
    default: false
    }
  }

  /// Whether the first line break of the element's content is dropped by a browser.
  var dropsLineBreak: Bool { self == .pre || self == .textarea }
}
