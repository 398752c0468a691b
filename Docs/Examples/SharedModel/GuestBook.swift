// SPDX-License-Identifier: Apache-2.0

/// The model controller: windows ask it for every change, and it tells all of them what happened.
struct GuestBook: Sendable {
  enum Event: Sendable {
    case signed(String)
    case struckOut(String)
  }

  private let names = Published<[String], Event>([])

  func observe() -> (now: [String], events: AsyncStream<Event>) {
    names.observe()
  }

  /// The names as they are kept.
  var current: [String] { names.value }

  func sign(_ name: String) {
    names.change { names in
      names.append(name)  // here a real one writes its file, before anybody is told
      return .signed(name)
    }
  }

  func strikeOut(_ name: String) {
    names.change { names in
      names.removeAll { $0 == name }
      return .struckOut(name)
    }
  }
}

/// What the user has set for all windows.
enum Order: Sendable {
  case asSigned
  case alphabetical

  func sorted(_ names: [String]) -> [String] {
    self == .alphabetical ? names.sorted() : names
  }
}

typealias Defaults = Published<Order, Order>
