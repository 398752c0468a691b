// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON

/// The name of a scene in a suite: `S1#2` is the second one that was connected to `S1`.
struct SceneLabel: Sendable, Hashable, Comparable, CustomStringConvertible {
  let session: SessionLabel
  let instance: Int

  init(_ session: SessionLabel, instance: Int) {
    self.session = session
    self.instance = instance
  }

  /// Reads a label; nil if the text is none.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = SessionLabel(parts[0]), let instance = Int(parts[1]),
      instance > 0, parts[1].utf8.elementsEqual("\(instance)".utf8)
    else { return nil }
    self.init(session, instance: instance)
  }

  init(_ node: JSONNode) throws(JSONFileError) {
    guard let label = SceneLabel(try node.text()) else {
      throw node.failure(.unknownValue, "the label of a scene, such as S1#1")
    }
    self = label
  }

  var description: String { "\(session)#\(instance)" }

  static func < (left: SceneLabel, right: SceneLabel) -> Bool {
    (left.session, left.instance) < (right.session, right.instance)
  }
}
