// SPDX-License-Identifier: Apache-2.0

import Elsewhere
import Testing

struct ElsewhereTests {
  @Test func `a dependency that asks for UIKit finds none`() {
    #expect(!hasUIKit)
  }
}
