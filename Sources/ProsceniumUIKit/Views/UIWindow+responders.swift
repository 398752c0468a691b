// SPDX-License-Identifier: Apache-2.0

extension UIWindow {
  /// How many responders are listed at most.
  static let respondersLimit = 10_000

  /// The window, its controllers and their loaded views, each before those in it, without what
  /// exceeds 10,000.
  var respondersBelow: [UIResponder] {
    var found: [UIResponder] = []
    var seen: Set<ObjectIdentifier> = []
    var waiting: [UIResponder] = [self]
    while found.count < UIWindow.respondersLimit, let one = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(one)).inserted else { continue }
      found.append(one)
      waiting += below(one).reversed()
    }
    return found
  }

  private func below(_ responder: UIResponder) -> [UIResponder] {
    if let controller = responder as? UIViewController {
      let view: [UIResponder?] = [controller.loaded]
      return (view + controller.children + [controller.presented]).compactMap(\.self)
    }
    guard let view = responder as? UIView else { return [] }
    let root: [UIResponder?] = [(view as? UIWindow)?.rootViewController]
    return (root + view.subviews.map { $0.controller ?? $0 }).compactMap(\.self)
  }
}
