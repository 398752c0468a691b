// SPDX-License-Identifier: Apache-2.0

/// What a session holds beside identifier and configuration.
///
/// Most sessions of a large program hold none of it, so that the whole is one reference, null while
/// everything has its default value; changing a field makes a new box. A box never changes, and is
/// read from any thread.
struct SessionDetails: Sendable {
  private struct Fields: Sendable, Equatable {
    var group: SceneGroup?
    var stateRestorationActivity: UserActivity?
    var userInfo: [String: PropertyListValue]?
    var activationConditions = SceneActivationConditions()
    var title: String?
  }

  private final class Box: Sendable {
    let fields: Fields

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  private var box: Box?

  /// The details of a session in which everything has its default value.
  static let none = SessionDetails()

  private subscript<Value: Equatable>(_ path: WritableKeyPath<Fields, Value>) -> Value {
    get { box.map { $0.fields[keyPath: path] } ?? Fields()[keyPath: path] }
    set {
      var fields = box?.fields ?? Fields()
      guard fields[keyPath: path] != newValue else { return }
      fields[keyPath: path] = newValue
      box = fields == Fields() ? nil : Box(fields)
    }
  }

  var group: SceneGroup? {
    get { box?.fields.group }
    set { self[\.group] = newValue }
  }

  var stateRestorationActivity: UserActivity? {
    get { box?.fields.stateRestorationActivity }
    set { self[\.stateRestorationActivity] = newValue }
  }

  var userInfo: [String: PropertyListValue]? {
    get { box?.fields.userInfo }
    set { self[\.userInfo] = newValue }
  }

  var activationConditions: SceneActivationConditions {
    get { box?.fields.activationConditions ?? SceneActivationConditions() }
    set { self[\.activationConditions] = newValue }
  }

  var title: String? {
    get { box?.fields.title }
    set { self[\.title] = newValue }
  }

  /// Tells whether two details are the same box; false does not mean that they differ.
  func isIdentical(to other: SessionDetails) -> Bool {
    box === other.box
  }
}
