// SPDX-License-Identifier: Apache-2.0

/// Checks what always holds, from the lines and the states that a model predicts.
struct ModelInvariants {
  static let edges: Set<String> = [
    "—→U", "U→B", "B→I", "I→A", "A→I", "I→B", "B→I→B", "B→U", "I→U", "A→killed", "I→killed",
    "B→killed", "archived→discarded", "archived→discarding",
  ]

  /// The scenes that are there, such as `S1#2`.
  private var connected: Set<Substring>
  private var gone: Set<Substring> = []
  private let capacity: Int

  init(_ model: LifecycleModel) {
    capacity = model.setup.foregroundCapacity
    connected = Set(
      model.sessions.compactMap { label, session in
        session.scene.map { "\(label)#\($0.number)"[...] }
      })
  }

  /// What does not hold after a command.
  mutating func check(_ log: [ModelEntry], _ model: LifecycleModel) -> [String] {
    var violations = log.flatMap(\.lines).flatMap { check($0) }
    if !Set(model.sessions.keys).isDisjoint(with: model.discarded)
      || !Set(model.store.keys).isDisjoint(with: model.discarded)
    {
      violations.append("a discarded session is open or stored")
    }
    if model.isRunning, Set(model.sessions.keys) != Set(model.store.keys) {
      violations.append("open and stored sessions differ")
    }
    if model.foreground.count > capacity { violations.append("too many foreground scenes") }
    let illegal = model.log.edges.subtracting(Self.edges)
    if !illegal.isEmpty { violations.append("illegal transitions: \(illegal.sorted())") }
    let scenes = model.sessions.compactMap { label, session in
      session.scene.map { "\(label)#\($0.number)"[...] }
    }
    if !connected.isSuperset(of: scenes) { violations.append("a scene that was never made") }
    // A delegate without the method leaves no line of the disconnect.
    connected = Set(scenes)
    for session in model.sessions.values where session.scene?.held != nil {
      if session.state != .background { violations.append("a held scene is not in the background") }
    }
    return violations
  }

  private mutating func check(_ line: String) -> [String] {
    let discard = "app.didDiscardSceneSessions{"
    if line.hasPrefix(discard) {
      gone.formUnion(line.dropFirst(discard.count).dropLast().split(separator: ", "))
      return []
    }
    guard line.hasPrefix("S"), let dot = line.firstIndex(of: ".") else { return [] }
    let scene = line[..<dot]
    let call = line[dot...].dropFirst()
    if gone.contains(scene.prefix { $0 != "#" }) { return ["\(line): after the discard"] }
    if call == "init" {
      return connected.insert(scene).inserted ? [] : ["\(line): a second time"]
    }
    guard connected.contains(scene) else { return ["\(line): without a scene"] }
    return []
  }
}
