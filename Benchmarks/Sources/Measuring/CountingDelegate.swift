// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The delegate of a scene that adds up what it is sent, and sees whether it comes in order.
package final class CountingDelegate: SceneDelegate {
  private var sum: UInt64 = 0
  private var count: UInt64 = 0
  private var isDisordered = false
  /// The last number of each sender.
  private var last: [UInt64] = []

  package init() {}

  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    take(NumberedMessage(message))
  }

  /// Answers an empty message with what was counted so far, and another one with itself.
  package func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    guard message.count == 0 else { return message }
    return NumberedMessage(sender: isDisordered ? 1 : 0, number: count, payload: sum).message
  }

  private func take(_ message: NumberedMessage) {
    let sender = Int(message.sender)
    while last.count <= sender { last.append(0) }
    if message.number <= last[sender] { isDisordered = true }
    last[sender] = message.number
    count += 1
    sum &+= message.payload
  }
}
