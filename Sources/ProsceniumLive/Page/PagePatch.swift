// SPDX-License-Identifier: Apache-2.0

/// What turns the page that a browser shows into another one.
///
/// A patch is HTML: for each part that differs, a template with its element. What is in it and did
/// not change is there as an empty element with the attribute `data-keep`, for which the browser
/// takes the one that it has.
struct PagePatch {
  private let old: RenderedPage
  private let new: RenderedPage
  private let oldParts: [String: Int]
  /// The field that the user has changed: the browser shows something else than the old page.
  private let changed: Int?
  private(set) var html: [UInt8] = []

  /// Compares two pages, whose first part has the same id and is all of the page.
  ///
  /// The HTML is empty if they are the same.
  ///
  /// - Parameters:
  ///   - old: The page that the browser shows.
  ///   - new: What it is to show.
  ///   - input: What the user has changed since: that field is written in any case.
  init(from old: RenderedPage, to new: RenderedPage, after input: DeclaredInput? = nil) {
    self.old = old
    self.new = new
    changed = input.flatMap { input in new.parts.firstIndex { $0.input == input } }
    if old.bytes == new.bytes, changed == nil {
      oldParts = [:]
      return
    }
    oldParts = Dictionary(
      old.parts.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    compare(0, with: 0)
  }

  /// Writes what differs of a part that is where it was.
  private mutating func compare(_ part: Int, with before: Int) {
    let children = new.children(of: part)
    let childrenBefore = old.children(of: before)
    guard part != changed, isSameOutside(part, children, before, childrenBefore) else {
      // By itself: what a browser makes of a part of a table depends on what it has read before.
      html += "<template>".utf8
      write(part, isInPlace: true)
      html += "</template>".utf8
      return
    }
    for (child, childBefore) in zip(children, childrenBefore) { compare(child, with: childBefore) }
  }

  /// Whether two parts have the same tag, the same parts in the same order, and the same HTML
  /// around these.
  private func isSameOutside(
    _ part: Int, _ children: [Int], _ before: Int, _ childrenBefore: [Int]
  ) -> Bool {
    guard new.parts[part].tag == old.parts[before].tag, children.count == childrenBefore.count
    else { return false }
    var start = new.parts[part].range.lowerBound
    var startBefore = old.parts[before].range.lowerBound
    for (child, childBefore) in zip(children, childrenBefore) {
      let (found, expected) = (new.parts[child], old.parts[childBefore])
      guard found.id == expected.id,
        new.bytes[start..<found.range.lowerBound]
          == old.bytes[startBefore..<expected.range.lowerBound]
      else { return false }
      start = found.range.upperBound
      startBefore = expected.range.upperBound
    }
    return new.bytes[start..<new.parts[part].range.upperBound]
      == old.bytes[startBefore..<old.parts[before].range.upperBound]
  }

  /// Writes a part.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - isInPlace: Whether the browser has its element where it will be, so that parts in it can
  ///     be kept.
  private mutating func write(_ part: Int, isInPlace: Bool) {
    var start = new.parts[part].range.lowerBound
    for child in new.children(of: part) {
      let place = new.parts[child]
      html += new.bytes[start..<place.range.lowerBound]
      start = place.range.upperBound
      let before = isInPlace ? placeBefore(child) : nil
      let isChanged = changed.map { child <= $0 && $0 < place.next } ?? false
      if let before, !isChanged, new.html(of: child) == old.html(of: before) {
        keep(place)
      } else {
        write(child, isInPlace: before != nil)
      }
    }
    html += new.bytes[start..<new.parts[part].range.upperBound]
  }

  /// The part that the browser has in the same part as now.
  private func placeBefore(_ part: Int) -> Int? {
    guard let before = oldParts[new.parts[part].id] else { return nil }
    let (parent, parentBefore) = (new.parts[part].parent, old.parts[before].parent)
    guard parent >= 0, parentBefore >= 0, new.parts[parent].id == old.parts[parentBefore].id
    else { return nil }
    return before
  }

  private mutating func keep(_ part: RenderedPage.Part) {
    html.append(0x3C)
    html.append(contentsOf: part.tag.rawValue.utf8)
    html.append(attribute: "id", part.id)
    html.append(attribute: "data-keep", nil)
    html.append(0x3E)
    guard !part.tag.isVoid else { return }
    html += [0x3C, 0x2F]
    html.append(contentsOf: part.tag.rawValue.utf8)
    html.append(0x3E)
  }
}

extension RenderedPage {
  /// The parts directly in a part, in their order.
  fileprivate func children(of part: Int) -> [Int] {
    var children: [Int] = []
    forEachPart(in: part) { children.append($0) }
    return children
  }
}
