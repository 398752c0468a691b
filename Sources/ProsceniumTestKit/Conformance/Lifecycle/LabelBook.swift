// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumJSON

/// The labels of sessions and scenes.
///
/// An identifier that was never seen is a new label, a known one keeps its own, so that a reused or
/// changed identifier shows up as a wrong label.
struct LabelBook: Sendable {
  private struct KnownScene: Sendable {
    let scene: WeakReference<Scene>
    var delegate = WeakReference<DelegateToken>(nil)
  }

  private var labels: [SessionIdentifier: SessionLabel] = [:]
  private var identifiers: [SessionLabel: SessionIdentifier] = [:]
  /// The identifiers that were made, and have not been seen since.
  private var made: Set<SessionIdentifier> = []
  private var highest = 0
  private var instances: [SessionLabel: Int] = [:]
  private var scenes: [SceneLabel: KnownScene] = [:]

  // MARK: - Sessions

  /// Gives a session the label that a setup has for it.
  mutating func enter(_ label: SessionLabel, _ identifier: SessionIdentifier) {
    labels[identifier] = label
    identifiers[label] = identifier
    highest = max(highest, label.number)
  }

  /// Makes the identifier of a new session, which has the next label.
  mutating func makeIdentifier() -> SessionIdentifier {
    let label = SessionLabel(number: highest + 1)
    // A setup may have given an identifier away.
    var attempt: UInt64 = 0
    while labels[label.newIdentifier(attempt: attempt)] != nil { attempt += 1 }
    let identifier = label.newIdentifier(attempt: attempt)
    enter(label, identifier)
    made.insert(identifier)
    return identifier
  }

  /// The label of a session; the next one if it was never seen.
  mutating func label(_ identifier: SessionIdentifier) -> SessionLabel {
    if let label = labels[identifier] {
      made.remove(identifier)
      return label
    }
    if let label = labelOfMade(identifier) { return label }
    let label = SessionLabel(number: highest + 1)
    enter(label, identifier)
    return label
  }

  /// The label of a made identifier whose first half says since where its session belongs.
  private mutating func labelOfMade(_ identifier: SessionIdentifier) -> SessionLabel? {
    guard let original = made.first(where: { $0.low == identifier.low }),
      let label = labels.removeValue(forKey: original)
    else { return nil }
    made.remove(original)
    enter(label, identifier)
    return label
  }

  /// The identifier of a session; for a label that was never used, one that no session has.
  func identifier(_ label: SessionLabel) -> SessionIdentifier {
    identifiers[label] ?? label.defaultIdentifier
  }

  // MARK: - Scenes

  /// Says how many scenes a session has had.
  mutating func setInstances(_ count: Int, of label: SessionLabel) {
    instances[label] = count
  }

  /// Counts a new scene of a session.
  mutating func connect(_ scene: Scene?, to session: SessionLabel) -> SceneLabel {
    let label = SceneLabel(session, instance: (instances[session] ?? 0) + 1)
    instances[session] = label.instance
    scenes[label] = KnownScene(scene: WeakReference(scene))
    return label
  }

  /// The label of a session's last scene.
  func lastScene(of session: SessionLabel) -> SceneLabel {
    SceneLabel(session, instance: instances[session] ?? 0)
  }

  /// The label of a scene; a new one if it was never announced.
  mutating func label(of scene: Scene) -> SceneLabel {
    let session = label(scene.persistentIdentifier)
    let known = scenes.first { $0.key.session == session && $0.value.scene.object === scene }
    return known?.key ?? connect(scene, to: session)
  }

  /// Notes the delegate that a scene was given.
  mutating func setDelegate(_ token: DelegateToken, of label: SceneLabel) {
    scenes[label]?.delegate = WeakReference(token)
  }

  func scene(_ label: SceneLabel) -> Scene? {
    scenes[label]?.scene.object
  }

  func delegate(_ label: SceneLabel) -> DelegateToken? {
    scenes[label]?.delegate.object
  }

  func isKnown(_ label: SceneLabel) -> Bool {
    scenes[label] != nil
  }
}

/// An object that may be gone.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}

/// Lives as long as one delegate, and can be looked at from anywhere.
final class DelegateToken: Sendable {
  let delegateClass: String

  init(delegateClass: String) {
    self.delegateClass = delegateClass
  }
}

/// The name of a session in a suite: `S1`, `S2` and so on.
struct SessionLabel: JSONName, Comparable {
  static let expected = "the label of a session, such as S1"
  private static let numbers = 1...999_999_999_999

  let number: Int

  init(number: Int) {
    self.number = number
  }

  init?(_ text: String) { self.init(text[...]) }

  /// Reads a label; nil if the text is none.
  init?(_ text: Substring) {
    guard text.first == "S", let number = Int(text.dropFirst()), Self.numbers.contains(number),
      text.dropFirst().utf8.elementsEqual("\(number)".utf8)
    else { return nil }
    self.number = number
  }

  var description: String { "S\(number)" }

  static func < (left: SessionLabel, right: SessionLabel) -> Bool { left.number < right.number }

  /// The identifier of a session that a setup gives none: its last twelve digits are the number.
  var defaultIdentifier: SessionIdentifier {
    var digits: UInt64 = 0
    for (position, digit) in "\(number)".utf8.reversed().enumerated() {
      digits |= UInt64(digit - UInt8(ascii: "0")) << UInt64(4 * position)
    }
    return SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0000 | digits)
  }

  /// An identifier for a session that the runtime makes; each attempt gives another one.
  func newIdentifier(attempt: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0x4000 + attempt << 16, low: 0x9000_0000_0000_0000 | UInt64(number))
  }
}

/// The name of a scene in a suite: `S1#2` is the second one that was connected to `S1`.
struct SceneLabel: JSONName, Comparable {
  static let expected = "the label of a scene, such as S1#1"

  let session: SessionLabel
  let instance: Int

  init(_ session: SessionLabel, instance: Int) {
    self.session = session
    self.instance = instance
  }

  /// Reads a label; nil if the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = SessionLabel(parts[0]), let instance = Int(parts[1]),
      instance > 0, parts[1].utf8.elementsEqual("\(instance)".utf8)
    else { return nil }
    self.init(session, instance: instance)
  }

  var description: String { "\(session)#\(instance)" }

  static func < (left: SceneLabel, right: SceneLabel) -> Bool {
    (left.session, left.instance) < (right.session, right.instance)
  }
}
