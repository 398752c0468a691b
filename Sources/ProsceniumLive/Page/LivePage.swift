// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the tab of a scene shows, so that only what has changed is sent.
///
/// It belongs to a delegate, and is used on the executor of its scene alone. It is as large as the
/// page, which goes with the scene.
public final class LivePage {
  /// The id of the element that is the page.
  static let rootID = "page"

  /// The id of the line that tells how the tab is connected.
  static let statusID = "live-status"

  private var shown: RenderedPage?
  /// What the user has changed since the page was shown.
  private var input: DeclaredInput?

  /// Creates a page that no tab has seen.
  public init() {}

  /// Sends the whole page next.
  func forget() {
    shown = nil
  }

  /// Notes what the user has done.
  func note(_ input: PageInput) {
    self.input = DeclaredInput(name: input.name, id: input["id"])
  }

  /// Sends what turns the page that is shown into another one.
  func show(_ rendered: Result<RenderedPage, PageProblem>, in scene: isolated Scene) {
    do throws(PageProblem) {
      let page = try rendered.get()
      let html = PagePatch(from: shown ?? .empty, to: page, after: input).html
      input = nil
      shown = page
      for frame in PageFrames(html) { scene.emit(SceneMessage(frame)) }
    } catch {
      scene.emit(SceneMessage("!\(error)"))
    }
  }
}

@available(*, unavailable)
extension LivePage: Sendable {}
