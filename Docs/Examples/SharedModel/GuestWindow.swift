// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A window with the names in the guest book.
final class GuestWindow: SceneDelegate {
  private let book: GuestBook
  private let defaults: Defaults
  private let screen: Screen
  private var order = Order.asSigned

  init(_ book: GuestBook, _ defaults: Defaults, _ screen: Screen) {
    self.book = book
    self.defaults = defaults
    self.screen = screen
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    scene.title = options.userActivities.first?.title ?? session.title
    let setting = defaults.observe()
    order = setting.now
    scene.addTask(GuestWindow.self, forEach: setting.events) { window, scene, order in
      window.order = order
      window.draw("sorted", scene)
    }
    scene.addTask(GuestWindow.self, forEach: book.observe().events) { window, scene, event in
      switch event {
      case .signed(let name): window.draw("new: \(name)", scene)
      case .struckOut(let name): window.draw("gone: \(name)", scene)
      }
    }
    draw("opened", scene)
  }

  /// The user writes: the window changes the book, and nothing of its own.
  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    if message.string.hasPrefix("-") {
      book.strikeOut(String(message.string.dropFirst()))
    } else {
      book.sign(message.string)
    }
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    Array(content.utf8)
  }

  /// Always the whole: of a window that is far behind, events are dropped.
  private var content: String {
    let names = order.sorted(book.current)
    return names.isEmpty ? "empty" : names.joined(separator: ", ")
  }

  private func draw(_ reason: String, _ scene: isolated Scene) {
    screen.show("\(scene.title ?? "") (\(reason)): \(content)")
  }
}
