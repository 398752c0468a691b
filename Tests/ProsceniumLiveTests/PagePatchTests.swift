// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLive

/// A patch turns the page that a browser has into the new one, and says no more than it has to.
struct PagePatchTests {
  @Test(arguments: 0..<400 as Range<UInt64>)
  func `a browser that applies patches has the new page each time`(_ seed: UInt64) throws {
    var sketch = PageSketch(seed: seed)
    var old = try sketch.render()
    var browser = try PageModel(old.bytes)
    for _ in 0..<12 {
      sketch.change()
      let new = try sketch.render()
      let wanted = try PageModel(new.bytes)
      let kept = try browser.apply(PagePatch(from: old, to: new).html)
      try #require(browser == wanted)
      let parts = wanted.root.parts
      for one in kept { #expect(parts[one.id] == one.element) }
      old = new
    }
  }

  @Test func `two pages that have nothing to do with each other`() throws {
    for seed in 0..<500 as Range<UInt64> {
      let (old, new) = (
        try PageSketch(seed: seed).render(), try PageSketch(seed: seed + 1_000).render()
      )
      var browser = try PageModel(old.bytes)
      try browser.apply(PagePatch(from: old, to: new).html)
      #expect(browser == (try PageModel(new.bytes)))
    }
  }

  @Test func `the random pages keep parts, and change in several places`() throws {
    var (kept, several, empty) = (0, 0, 0)
    for seed in 0..<200 as Range<UInt64> {
      var sketch = PageSketch(seed: seed)
      let old = try sketch.render()
      sketch.change()
      let patch = PagePatch(from: old, to: try sketch.render()).html
      var browser = try PageModel(old.bytes)
      kept += try browser.apply(patch).count
      if try PageReader.nodes(patch).count > 1 { several += 1 }
      if patch.isEmpty { empty += 1 }
    }
    #expect(kept > 100)
    #expect(several > 10)
    #expect(empty < 50)
  }

  @Test func `equal pages give an empty patch`() throws {
    for seed in 0..<200 as Range<UInt64> {
      let sketch = PageSketch(seed: seed)
      #expect(PagePatch(from: try sketch.render(), to: try sketch.render()).html.isEmpty)
    }
  }

  // MARK: - Sizes

  private static func page(_ notes: [(id: String, text: String)]) throws -> RenderedPage {
    var builder = PageBuilder()
    builder.add(.main, id: LivePage.rootID) { page in
      page.add(.h1, "Notes")
      page.add(.ul, id: "notes") { page in
        for note in notes {
          page.add(.li, id: note.id) { page in
            page.add(.span, note.text)
            page.add(.button, "Remove", .onClick("remove", value: note.id))
          }
        }
      }
      page.add(.p, "\(notes.count) notes", id: "count")
    }
    return try builder.finish().get()
  }

  private static let notes = (0..<100).map {
    (id: "note-\($0)", text: "This is note number \($0).")
  }

  @Test func `a note that changes is sent alone`() throws {
    var changed = Self.notes
    changed[57].text = "Changed"
    let (old, new) = (try Self.page(Self.notes), try Self.page(changed))
    let patch = PagePatch(from: old, to: new).html
    #expect(
      String(decoding: patch, as: UTF8.self) == """
        <template><li id="note-57"><span>Changed</span>\
        <button data-click="remove" data-value="note-57">Remove</button></li></template>
        """)
    #expect(patch.count * 100 < old.bytes.count * 3)
  }

  @Test func `a note that is added or removed keeps all others`() throws {
    let more = [(id: "new", text: "First")] + Self.notes
    let (less, all) = (try Self.page(Self.notes), try Self.page(more))
    for (old, new) in [(less, all), (all, less)] {
      let patch = PagePatch(from: old, to: new).html
      var browser = try PageModel(old.bytes)
      let kept = try browser.apply(patch)
      #expect(browser == (try PageModel(new.bytes)))
      #expect(kept.map(\.id) == Self.notes.map(\.id))
      #expect(patch.count * 2 < new.bytes.count)
    }
  }

  @Test func `a part that moves to another parent is written in full`() throws {
    func page(isMoved: Bool) throws -> RenderedPage {
      var builder = PageBuilder()
      builder.add(.main, id: LivePage.rootID) { page in
        for list in ["one", "two"] {
          page.add(.ul, id: list) { page in
            page.add(.li, "Stays", id: "stays in \(list)")
            if (list == "two") == isMoved {
              page.add(.li, id: "moves") { $0.add(.b, "in it", id: "in") }
            }
          }
        }
      }
      return try builder.finish().get()
    }
    let patch = PagePatch(from: try page(isMoved: false), to: try page(isMoved: true)).html
    #expect(
      String(decoding: patch, as: UTF8.self) == """
        <template><ul id="one"><li id="stays in one" data-keep></li></ul></template>\
        <template><ul id="two"><li id="stays in two" data-keep></li>\
        <li id="moves"><b id="in">in it</b></li></ul></template>
        """)
  }

  // `template.innerHTML = "<p id=a></p><tr id=b></tr>"` has no `tr`: the first element decides
  // whether table parts are read, and what may follow. So each is in a template of its own.
  @Test(arguments: [
    ("p", "tr"), ("p", "td"), ("p", "tbody"), ("td", "tr"), ("tr", "col"), ("tr", "caption"),
  ])
  func `a table part is sent so that a browser reads it as one`(_ first: String, _ second: String)
    throws
  {
    func page(_ text: String) throws -> RenderedPage {
      var builder = PageBuilder()
      let (first, second) = (PageTag(rawValue: first) ?? .p, PageTag(rawValue: second) ?? .p)
      builder.add(.main, id: LivePage.rootID) { page in
        page.add(first, id: "a", PageAttribute("title", text))
        page.add(second, id: "b", PageAttribute("title", text))
      }
      return try builder.finish().get()
    }
    let patch = PagePatch(from: try page("old"), to: try page("new")).html
    let elements = try PageReader.nodes(patch).compactMap { node in
      if case .element(let element) = node { element } else { nil }
    }
    let isRead = elements.allSatisfy { $0.tag == "template" }
    #expect(isRead, "\(String(decoding: patch, as: UTF8.self))")
  }
}
