// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The membership of every session that has one, by its place in the ``StandingTable``.
///
/// Pages without any membership, as where all sessions have the default, take no memory.
struct MembershipTable: Sendable {
  private struct Page: Sendable {
    var words = ContiguousArray<UInt>(repeating: 0, count: 1 << StandingTable.pageBits)
    var places = ContiguousArray<UInt32>(repeating: 0, count: 1 << StandingTable.pageBits)
  }

  private var pages = PagedArray<Page?>()

  subscript(place: Int) -> Membership {
    get {
      let page = place >> StandingTable.pageBits
      guard page < pages.count else { return .none }
      let offset = place & (1 << StandingTable.pageBits - 1)
      return pages.withElement(page) { page in
        switch page {
        case .some(let page): Membership(word: page.words[offset], place: page.places[offset])
        case .none: .none
        }
      }
    }
    set {
      let page = place >> StandingTable.pageBits
      if newValue == .none, page >= pages.count || pages[page] == nil { return }
      while pages.count <= page { pages.append(nil) }
      let offset = place & (1 << StandingTable.pageBits - 1)
      if pages[page] == nil { pages[page] = Page() }
      pages[page]?.words[offset] = newValue.word
      pages[page]?.places[offset] = newValue.place
    }
  }
}
