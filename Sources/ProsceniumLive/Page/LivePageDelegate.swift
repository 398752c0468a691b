// SPDX-License-Identifier: Apache-2.0

public import Proscenium

/// A scene's delegate that shows a page in a browser tab.
///
/// ```swift
/// final class Counter: LivePageDelegate {
///   let page = LivePage()
///   private var count = 0
///
///   func render(_ page: inout PageBuilder, of scene: isolated Scene) {
///     page.add(.p, "\(count)", id: "count")
///     page.add(.button, "One more", .onClick("add"))
///   }
///
///   func scene(_ scene: isolated Scene, didReceive input: PageInput) {
///     if input.name == "add" { count += 1 }
///     scene.setNeedsCapture()
///   }
/// }
/// ```
///
/// After each input the page is rendered again, and what has changed goes to the tab; nothing is
/// rendered while no tab has asked for the page. State that is to outlive the scene is captured as
/// ever, by ``StatefulSceneDelegate`` or as an activity.
public protocol LivePageDelegate: ClientSceneDelegate {
  /// What the tab shows; a `let` of the delegate.
  var page: LivePage { get }

  /// Writes the page as it is to be now.
  func render(_ page: inout PageBuilder, of scene: isolated Scene)

  /// Tells the delegate what the user did; then the page is rendered again.
  func scene(_ scene: isolated Scene, didReceive input: PageInput)

  /// Gives the delegate a message that the program sent, not a user; then the page is rendered
  /// again.
  func scene(_ scene: isolated Scene, didReceiveFromProgram message: SceneMessage)
}

extension LivePageDelegate {
  /// Does nothing.
  public func scene(_ scene: isolated Scene, didReceiveFromProgram message: SceneMessage) {}

  /// Reads an input, passes it on and renders the page; one that cannot be read does nothing.
  public func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    if scene.sender == nil {
      self.scene(scene, didReceiveFromProgram: message)
    } else if let input = PageInput(message.bytes) {
      page.note(input)
      self.scene(scene, didReceive: input)
      bringForward(scene)
    }
    updatePage(of: scene)
  }

  /// Brings a scene to where its tab sees it: the system had disconnected it, and it was connected
  /// again for the input.
  private func bringForward(_ scene: isolated Scene) {
    guard scene.activationState == .background, scene.isSeen else { return }
    scene.application.host.submit(.open(scene.persistentIdentifier))
  }

  /// Sends the whole page.
  public func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
    page.forget()
    show(scene)
  }

  /// Renders the page, and sends what has changed.
  ///
  /// It is called after each input by itself; a delegate calls it when something else has changed
  /// what the page shows.
  public func updatePage(of scene: isolated Scene) {
    if scene.keepsFrames { show(scene) }
  }

  private func show(_ scene: isolated Scene) {
    var builder = PageBuilder()
    builder.add(.main, id: LivePage.rootID, PageAttribute("tabindex", "-1")) {
      render(&$0, of: scene)
    }
    page.show(builder.finish(), in: scene)
  }
}
