// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// A message that a node sends to a session anywhere, with its number among those of its sender
  /// to that session.
  struct ToldMessage {
    let sender: UInt64
    let number: Int

    init(sender: UInt64, number: Int) {
      self.sender = sender
      self.number = number
    }

    /// Reads a message; nil for any other one.
    init?(_ message: SceneMessage) {
      let words = message.string.split(separator: " ")
      guard words.count == 3, words[0] == "told", let sender = UInt64(words[1]),
        let number = Int(words[2])
      else { return nil }
      self.init(sender: sender, number: number)
    }

    var message: SceneMessage { SceneMessage("told \(sender) \(number)") }
  }
#endif
