// SPDX-License-Identifier: Apache-2.0

/// Keeps connected scenes in up to three lists, each from its oldest to its newest scene.
///
/// The links of all lists are in one array under the scenes' keys: 16 bytes a scene, and an
/// eighth more to grow into. Each list is a ring through a node of its own, so that neither end is
/// a special case. A scene is in one list at a time.
struct SceneLists: Sendable {
  /// The number of a list, 0–2.
  typealias List = UInt8

  /// The list of the scenes that were found spared, which every order has.
  static let aside: List = 0
  /// Keys are below this number.
  static let keyLimit = 1 << 26

  private struct Node {
    var older: UInt32
    var newer: UInt32
    /// Of a scene the bits of its session, of a list's own node the number of its scenes.
    var value: UInt32 = 0
    var list = SceneLists.nowhere
    /// What an order notes about a scene.
    var mark: UInt8 = 0
  }

  private static let nowhere = List.max
  private static let listCount = 3

  private var nodes: ContiguousArray<Node>
  /// The number of scenes in all lists.
  private(set) var count = 0

  /// Creates empty lists.
  init() {
    nodes = ContiguousArray(
      (0..<UInt32(Self.listCount)).map { Node(older: $0, newer: $0, list: List($0)) })
  }

  // MARK: - Scenes

  /// The list of a scene, or nil where the key has no scene.
  func list(of key: UInt32) -> List? {
    let place = Self.place(key)
    guard place < nodes.count, nodes[place].list != Self.nowhere else { return nil }
    return nodes[place].list
  }

  /// The bits of a scene's session.
  func session(of key: UInt32) -> UInt32 { nodes[Self.place(key)].value }

  /// What an order noted about a scene; 0 for a new one.
  subscript(mark key: UInt32) -> UInt8 {
    get { nodes[Self.place(key)].mark }
    set { nodes[Self.place(key)].mark = newValue }
  }

  /// Adds a scene as the newest of a list; its key has none yet.
  mutating func insert(_ key: UInt32, session: UInt32, into list: List) {
    let place = Self.place(key)
    makeRoom(for: place)
    nodes[place].value = session
    nodes[place].mark = 0
    link(place, list)
    count += 1
  }

  /// Takes a scene out of its list, and says which one that was; nil where the key has no scene.
  @discardableResult
  mutating func remove(_ key: UInt32) -> List? {
    guard let list = list(of: key) else { return nil }
    unlink(Self.place(key))
    nodes[Self.place(key)].list = Self.nowhere
    count -= 1
    return list
  }

  /// Makes a scene the newest of a list.
  mutating func move(_ key: UInt32, to list: List) {
    unlink(Self.place(key))
    link(Self.place(key), list)
  }

  // MARK: - Lists

  /// The number of scenes in a list.
  func count(of list: List) -> Int { Int(nodes[Int(list)].value) }

  /// The oldest scene of a list.
  func oldest(of list: List) -> UInt32? { key(nodes[Int(list)].newer) }

  /// The oldest scene of a list that is not spared; those that are before it go aside.
  mutating func oldest(of list: List, sparing isSpared: (UInt32) -> Bool) -> UInt32? {
    while let key = oldest(of: list) {
      guard isSpared(key) else { return key }
      move(key, to: Self.aside)
    }
    return nil
  }

  // MARK: - Nodes

  private static func place(_ key: UInt32) -> Int { Int(key) + listCount }

  private func key(_ place: UInt32) -> UInt32? {
    place < Self.listCount ? nil : place - UInt32(Self.listCount)
  }

  private mutating func link(_ place: Int, _ list: List) {
    let newest = nodes[Int(list)].older
    nodes[place].older = newest
    nodes[place].newer = UInt32(list)
    nodes[place].list = list
    nodes[Int(newest)].newer = UInt32(place)
    nodes[Int(list)].older = UInt32(place)
    nodes[Int(list)].value += 1
  }

  private mutating func unlink(_ place: Int) {
    let node = nodes[place]
    nodes[Int(node.older)].newer = node.newer
    nodes[Int(node.newer)].older = node.older
    nodes[Int(node.list)].value -= 1
  }

  private mutating func makeRoom(for place: Int) {
    guard place >= nodes.count else { return }
    precondition(
      place < Self.keyLimit + Self.listCount,
      "The keys of scenes are dense numbers below \(Self.keyLimit).")
    if place >= nodes.capacity { nodes.reserveCapacity(place + 1 + place / 8) }
    while nodes.count <= place { nodes.append(Node(older: 0, newer: 0)) }
  }
}
