// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// Things that are handed out in order; the last one again and again.
final class Leased<Element: Sendable>: Sendable {
  private let remaining: Guarded<[Element]>

  init(_ elements: [Element]) {
    precondition(!elements.isEmpty, "there has to be something to hand out")
    remaining = Guarded(elements)
  }

  func next() -> Element {
    remaining.withLock { $0.count == 1 ? $0[0] : $0.removeFirst() }
  }
}
