// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

@testable import ProsceniumLive

/// A page that counts inputs, of which each has its number as its value, and those that were not
/// the next one.
final class CountingPage: LivePageDelegate {
  let page = LivePage()
  private var count: Int64 = 0
  private var wrong: Int64 = 0
  /// How much text there is besides.
  private var size = 0
  private let inputs: InputCounter

  init(_ inputs: InputCounter) {
    self.inputs = inputs
  }

  func scene(_ scene: isolated Scene, didReceive input: PageInput) {
    count += 1
    if input.value != "\(count)" { wrong += 1 }
    size = input["size"].flatMap { Int($0) } ?? 0
    scene.setNeedsCapture()
    inputs.add()
  }

  func render(_ page: inout PageBuilder, of scene: isolated Scene) {
    page.add(.p, "\(count) \(wrong)", id: "count")
    if size > 0 {
      let letter = Unicode.Scalar(UInt8(0x61 + count % 26))
      page.add(.p, String(repeating: Character(letter), count: size), id: "text")
    }
  }

  /// The input of a number.
  static func input(_ number: Int, size: Int = 0) -> String {
    "input \(number) n?value=\(number)" + (size > 0 ? "&size=\(size)" : "")
  }

  /// The part of the page that shows that inputs have come, each once and in order.
  static func part(_ count: Int) -> String { "<p id=\"count\">\(count) 0</p>" }
}

/// How much input the pages of a server have got.
final class InputCounter: Sendable {
  private let counted = Guarded(0)

  var count: Int { counted.withLock { $0 } }

  func add() {
    counted.withLock { $0 += 1 }
  }
}
