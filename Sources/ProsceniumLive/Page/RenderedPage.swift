// SPDX-License-Identifier: Apache-2.0

/// What a field sends when it is changed: the name of the input, and which of several fields it is.
struct DeclaredInput: Sendable, Hashable {
  let name: String
  let id: String?
}

/// A page as it was written, and where its parts are.
struct RenderedPage: Sendable {
  /// An element with an id.
  struct Part: Sendable {
    let id: String
    let tag: PageTag
    /// The input that the element declares, if it is a field that does.
    let input: DeclaredInput?
    /// The part that it is in, or -1.
    let parent: Int
    /// Where it is in the bytes.
    var range: Range<Int>
    /// The first part behind it that is not in it.
    var next: Int
  }

  /// The page of a tab that shows nothing.
  static let empty: RenderedPage = {
    var page = RenderedPage()
    page.endPart(page.beginPart(LivePage.rootID, .main, nil))
    return page
  }()

  var bytes: [UInt8] = []
  /// The parts in the order in which they begin.
  private(set) var parts: [Part] = []
  private var open = -1

  /// Begins a part at the end of what is written.
  mutating func beginPart(_ id: String, _ tag: PageTag, _ input: DeclaredInput?) -> Int {
    let start = bytes.count
    parts.append(Part(id: id, tag: tag, input: input, parent: open, range: start..<start, next: 0))
    open = parts.count - 1
    return open
  }

  /// Ends the part that was begun last.
  mutating func endPart(_ part: Int) {
    parts[part].range = parts[part].range.lowerBound..<bytes.count
    parts[part].next = parts.count
    open = parts[part].parent
  }

  /// The HTML of a part.
  func html(of part: Int) -> ArraySlice<UInt8> { bytes[parts[part].range] }

  /// Calls a function with the parts directly in a part, in their order.
  func forEachPart(in part: Int, _ body: (Int) -> Void) {
    var child = part + 1
    while child < parts[part].next {
      body(child)
      child = parts[child].next
    }
  }
}
