// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Proscenium
  import ProsceniumLive

  /// The page of a session under load: how many inputs were applied, and how many of them were not
  /// the next one.
  final class CountPage: LivePageDelegate, StatefulSceneDelegate {
    /// What an input is called, with its number as its value.
    static let inputName = "n"

    let page = LivePage()
    private var count = 0
    private var wrong = 0

    func scene(_ scene: isolated Scene, didReceive input: PageInput) {
      count += 1
      if input.name != Self.inputName || input.value != "\(count)" { wrong += 1 }
      scene.setNeedsCapture()
    }

    func render(_ page: inout PageBuilder, of scene: isolated Scene) {
      page.add(.h1, "Inputs")
      page.add(.p, "\(count) \(wrong)", id: "count")
    }

    func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
      state.write("count", count)
      state.write("wrong", wrong)
    }

    func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
      count = state.integer("count") ?? 0
      wrong = state.integer("wrong") ?? 0
    }
  }

  /// What such a page shows.
  struct ShownCount: Equatable {
    let count: UInt64
    let wrong: UInt64

    /// Reads it from a patch; nil if the patch does not hold it.
    init?(patch: String) {
      guard let start = patch.firstRange(of: "id=\"count\">")?.upperBound,
        let end = patch[start...].firstIndex(of: "<")
      else { return nil }
      let words = patch[start..<end].split(separator: " ")
      guard words.count == 2, let count = UInt64(words[0]), let wrong = UInt64(words[1]) else {
        return nil
      }
      (self.count, self.wrong) = (count, wrong)
    }
  }
#endif
