// SPDX-License-Identifier: Apache-2.0

/// A search for the sets of nodes that reach each other.
enum Cycles {
  /// The sets of more than one node, the largest first, each in order of names.
  static func find(in edges: [String: Set<String>]) -> [[String]] {
    var backward: [String: Set<String>] = [:]
    for (node, nexts) in edges {
      for next in nexts { backward[next, default: []].insert(node) }
    }
    var found: [[String]] = []
    var left = Set(edges.keys)
    while let node = left.min() {
      let cycle = reached(from: node, by: edges).intersection(reached(from: node, by: backward))
      left.subtract(cycle)
      if cycle.count > 1 { found.append(cycle.sorted()) }
    }
    return found.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  /// The nodes that edges lead to, and the first one.
  private static func reached(from node: String, by edges: [String: Set<String>]) -> Set<String> {
    var reached: Set = [node]
    var pending = [node]
    while let node = pending.popLast() {
      for next in edges[node] ?? [] where reached.insert(next).inserted { pending.append(next) }
    }
    return reached
  }
}
