// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

@testable import ProsceniumLive

/// A random page that changes at random.
struct PageSketch {
  private struct Node {
    var tag: PageTag
    var id: String?
    var title: String
    var isHidden: Bool
    var text: String
    var tail: String
    var parent: Int
    var children: [Int] = []
  }

  private static let containers: [PageTag] = [
    .div, .section, .ul, .li, .span, .button, .form, .pre,
  ]
  private static let leaves: [PageTag] = [.input, .br, .textarea, .img]
  private static let texts = [
    "", "", "", "a", "<b>&amp;\"'", "\n", "\u{0}\u{1B}", "Zoë 👩‍👩‍👧", "a\r\nb", "</main>",
    " data-keep ",
  ]

  private var nodes: [Node] = []
  private var ids = 0
  private(set) var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    nodes = [
      Node(
        tag: .main, id: LivePage.rootID, title: "", isHidden: false, text: "", tail: "", parent: -1)
    ]
    for _ in 0...random.number(below: 40) { add() }
  }

  /// The page, as the builder writes it.
  func render() throws -> RenderedPage {
    var builder = PageBuilder()
    write(0, to: &builder)
    return try builder.finish().get()
  }

  private func write(_ index: Int, to builder: inout PageBuilder) {
    let node = nodes[index]
    let title = node.title.isEmpty ? PageAttribute.flag("title", false) : .init("title", node.title)
    builder.add(node.tag, id: node.id, title, .flag("hidden", node.isHidden)) { builder in
      builder.add(node.text)
      for child in node.children { write(child, to: &builder) }
    }
    builder.add(node.tail)
  }

  // MARK: - Changes

  /// Changes the page in a few places.
  mutating func change() {
    for _ in 0...random.number(below: 4) {
      switch random.number(below: 10) {
      case 0: add()
      case 1: remove()
      case 2, 3: move()
      case 4: invert()
      case 5: rename()
      case 6: exchangeIDs()
      case 7: changeTag()
      case 8: if let node = anyNode() { nodes[node] = drawn(like: nodes[node]) }
      default: reorder()
      }
    }
  }

  private mutating func text() -> String { Self.texts[random.number(below: Self.texts.count)] }

  private mutating func newID() -> String? {
    guard random.happens(perThousand: 700) else { return nil }
    ids += 1
    return random.happens(perThousand: 100) ? "\"<\(ids)>&" : "p\(ids)"
  }

  /// The same node with other texts and attributes.
  private mutating func drawn(like node: Node) -> Node {
    var node = node
    switch random.number(below: 4) {
    case 0: node.title = text()
    case 1: node.isHidden.toggle()
    case 2: node.text = text()
    default: node.tail = node.parent < 0 ? "" : text()
    }
    return node
  }

  /// The nodes of the page, in their order.
  private var reachable: [Int] { subtree(0) }

  private func subtree(_ node: Int) -> [Int] {
    [node] + nodes[node].children.flatMap { subtree($0) }
  }

  private mutating func anyNode() -> Int? {
    let all = reachable.dropFirst()
    return all.isEmpty ? nil : all[all.startIndex + random.number(below: all.count)]
  }

  private mutating func anyContainer(outside node: Int? = nil) -> Int {
    let inside = node.map { Set(subtree($0)) } ?? []
    let all = reachable.filter { index in
      !inside.contains(index) && (index == 0 || Self.containers.contains(nodes[index].tag))
    }
    return all[random.number(below: all.count)]
  }

  private mutating func insert(_ node: Int, into parent: Int) {
    let place = random.number(below: nodes[parent].children.count + 1)
    nodes[parent].children.insert(node, at: place)
    nodes[node].parent = parent
  }

  private mutating func detach(_ node: Int) {
    nodes[nodes[node].parent].children.removeAll { $0 == node }
  }

  private mutating func add() {
    let parent = anyContainer()
    let tags = random.happens(perThousand: 800) ? Self.containers : Self.leaves
    let tag = tags[random.number(below: tags.count)]
    nodes.append(
      Node(
        tag: tag, id: newID(), title: text(), isHidden: random.happens(perThousand: 200),
        text: text(), tail: text(), parent: parent))
    insert(nodes.count - 1, into: parent)
  }

  private mutating func remove() {
    if let node = anyNode() { detach(node) }
  }

  private mutating func move() {
    guard let node = anyNode() else { return }
    let parent = anyContainer(outside: node)
    detach(node)
    insert(node, into: parent)
  }

  /// Puts the parent of a node into it.
  private mutating func invert() {
    guard let node = anyNode(), Self.containers.contains(nodes[node].tag) else { return }
    let parent = nodes[node].parent
    guard parent != 0 else { return }
    detach(node)
    insert(node, into: nodes[parent].parent)
    detach(parent)
    insert(parent, into: node)
  }

  private mutating func rename() {
    if let node = anyNode() { nodes[node].id = newID() }
  }

  private mutating func exchangeIDs() {
    guard let first = anyNode(), let second = anyNode() else { return }
    let id = nodes[first].id
    nodes[first].id = nodes[second].id
    nodes[second].id = id
  }

  private mutating func changeTag() {
    guard let node = anyNode() else { return }
    let tags = Self.containers.contains(nodes[node].tag) ? Self.containers : Self.leaves
    nodes[node].tag = tags[random.number(below: tags.count)]
  }

  private mutating func reorder() {
    let parent = anyContainer()
    nodes[parent].children.shuffle(using: &random)
  }
}
