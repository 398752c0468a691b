// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The delegate of a measured scene: a message changes its state, a call reads it.
final class MeasuredDelegate: SceneDelegate {
  private var sum: UInt64 = 0

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    sum &+= message.withBytes { unsafe $0.unsafeLoadUnaligned(as: UInt64.self) }
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    sum &+= message.withBytes { unsafe $0.unsafeLoadUnaligned(as: UInt64.self) }
    return message
  }
}

/// A delegate without a state and without a method.
final class EmptyDelegate: SceneDelegate {}
