// SPDX-License-Identifier: Apache-2.0

/// The tree that a browser makes of the HTML that `PageBuilder` writes.
///
/// It reads nothing else: what would mean something to a browser and was not written by the builder
/// is an error.
struct PageModel: Equatable {
  /// What an element has in it.
  enum Node: Equatable {
    case text(String)
    case element(Element)
  }

  /// An attribute; its value is empty if it has none, as in a browser.
  struct Attribute: Equatable {
    let name: String
    let value: String
  }

  struct Element: Equatable {
    var tag: String
    var attributes: [Attribute]
    var children: [Node] = []

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    var id: String? { self["id"] }

    /// The text in the element and in those in it.
    var text: String {
      children.reduce(into: "") { text, child in
        switch child {
        case .text(let part): text += part
        case .element(let element): text += element.text
        }
      }
    }

    /// Calls a function with the element and all in it, each before what is in it.
    func forEach(_ body: (Element) -> Void) {
      body(self)
      for case .element(let child) in children { child.forEach(body) }
    }

    /// The elements with an id.
    var parts: [String: Element] {
      var parts: [String: Element] = [:]
      forEach { element in
        if let id = element.id { parts[id] = element }
      }
      return parts
    }
  }

  /// An element with `data-keep`, and the one that the browser had at that moment.
  struct Kept: Equatable {
    let id: String
    let element: Element
  }

  enum Failure: Error, Equatable {
    case noSuchElement(String)
    case keptAnotherTag(String)
    case keptWithContent(String)
    case ancestorMoved(String)
    case textBetweenElements
  }

  private(set) var root: Element

  /// Reads the HTML of a whole page.
  init(_ html: some Collection<UInt8>) throws {
    let nodes = try PageReader.nodes(html)
    guard nodes.count == 1, case .element(let element) = nodes[0] else {
      throw Failure.textBetweenElements
    }
    root = element
  }

  /// Applies a patch, element by element; returns what the browser kept.
  @discardableResult
  mutating func apply(_ patch: [UInt8]) throws -> [Kept] {
    var kept: [Kept] = []
    for node in try PageReader.nodes(patch) {
      // Each is in a template of its own.
      guard case .element(let template) = node, template.tag == "template",
        template.children.count == 1, case .element(let twin) = template.children[0]
      else { throw Failure.textBetweenElements }
      let existing = root.parts
      let element = try Self.built(twin, of: existing, &kept)
      guard let id = twin.id, existing[id] != nil else {
        throw Failure.noSuchElement(twin.id ?? "")
      }
      guard let root = try Self.replacing(id, with: element, taken: element.parts, in: root) else {
        throw Failure.ancestorMoved(id)
      }
      self.root = root
    }
    return kept
  }

  /// What a twin becomes, with the elements that are kept in it.
  private static func built(
    _ twin: Element, of existing: [String: Element], _ kept: inout [Kept]
  ) throws -> Element {
    guard twin["data-keep"] == nil else {
      let id = twin.id ?? ""
      guard let element = existing[id] else { throw Failure.noSuchElement(id) }
      guard element.tag == twin.tag else { throw Failure.keptAnotherTag(id) }
      guard twin.children.isEmpty else { throw Failure.keptWithContent(id) }
      kept.append(Kept(id: id, element: element))
      return element
    }
    var element = twin
    for (index, child) in twin.children.enumerated() {
      if case .element(let child) = child {
        element.children[index] = .element(try built(child, of: existing, &kept))
      }
    }
    return element
  }

  /// Puts an element in place of another one, and drops from elsewhere what the new one has taken.
  private static func replacing(
    _ id: String, with new: Element, taken: [String: Element], in element: Element
  ) throws -> Element? {
    if element.id == id { return new }
    if let other = element.id, taken[other] != nil {
      if element.parts[id] != nil { throw Failure.ancestorMoved(other) }
      return nil
    }
    var changed = element
    changed.children = try element.children.compactMap { child in
      guard case .element(let child) = child else { return child }
      return try replacing(id, with: new, taken: taken, in: child).map { .element($0) }
    }
    return changed
  }
}
