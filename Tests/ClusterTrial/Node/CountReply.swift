// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// What a session of a trial answers: its count, and whose it is.
  ///
  /// It may be another node's than that of the caller, since calls go over links.
  struct CountReply: Sendable {
    /// The time in which a node has a session.
    struct Tenure: Sendable, Equatable {
      var epoch: UInt32 = 0
      /// The number of the node.
      var node: Int32 = 0
    }

    var count: Int
    /// That in which the scene was connected.
    var tenure: Tenure

    var message: SceneMessage {
      SceneMessage("\(count) \(tenure.epoch) \(tenure.node)")
    }

    init(count: Int, tenure: Tenure) {
      (self.count, self.tenure) = (count, tenure)
    }

    /// Reads an answer, `nil` if it is none of a trial's.
    init?(_ message: SceneMessage) {
      let words = message.string.split(separator: " ")
      guard words.count == 3, let count = Int(words[0]), let epoch = UInt32(words[1]),
        let node = Int32(words[2])
      else { return nil }
      self.init(count: count, tenure: Tenure(epoch: epoch, node: node))
    }
  }
#endif
