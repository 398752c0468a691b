// SPDX-License-Identifier: Apache-2.0

/// An array that grows by pages, so that growing never copies what is there.
///
/// An ordinary array doubles: at a million sessions that is a pause with a lock held, and memory
/// twice the need.
struct PagedArray<Element> {
  private static var pageBits: Int { 8 }
  private static var pageSize: Int { 1 << pageBits }

  private var pages: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  init() {}

  mutating func append(_ element: Element) {
    if count & (Self.pageSize - 1) == 0 {
      var page = ContiguousArray<Element>()
      page.reserveCapacity(Self.pageSize)
      pages.append(page)
    }
    pages[count >> Self.pageBits].append(element)
    count += 1
  }

  subscript(index: Int) -> Element {
    @inline(__always) get { pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
    @inline(__always) _modify {
      yield &pages[index >> Self.pageBits][index & (Self.pageSize - 1)]
    }
  }
}

extension PagedArray: Sendable where Element: Sendable {}
