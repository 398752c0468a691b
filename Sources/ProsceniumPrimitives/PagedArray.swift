// SPDX-License-Identifier: Apache-2.0

/// An array that grows by pages, so that growing never copies what is there.
///
/// An ordinary array doubles: at a million sessions that is a pause with a lock held, and memory
/// twice the need.
public struct PagedArray<Element> {
  /// As many elements as fill 2 KiB together with the header of an array: allocators have a size
  /// class there, so that nothing is lost to rounding.
  @inlinable static var pageSize: Int { max((2048 - 32) / MemoryLayout<Element>.stride, 1) }

  @usableFromInline var pages: ContiguousArray<ContiguousArray<Element>> = []
  @usableFromInline var elementCount = 0

  /// The number of elements.
  @inlinable public var count: Int { elementCount }

  /// Creates an empty array.
  @inlinable
  public init() {}

  /// Adds an element at the end.
  @inlinable
  public mutating func append(_ element: Element) {
    let page = count / Self.pageSize
    if page == pages.count { pages.append([]) }
    if pages[page].count == pages[page].capacity { growLastPage() }
    pages[page].append(element)
    elementCount += 1
  }

  /// Makes room in the last page.
  ///
  /// The only page of a small array takes what it needs; that of a larger one grows by a quarter of
  /// a page, so that many arrays do not each keep most of a page empty.
  @inlinable
  @inline(never)
  mutating func growLastPage() {
    let last = pages.count - 1
    let quarter = (Self.pageSize + 3) / 4
    let room = last == 0 ? pages[last].count * 2 : pages[last].count + quarter
    pages[last].reserveCapacity(min(max(room, 1), Self.pageSize))
  }

  /// The element at an index below ``count``.
  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) get {
      let (page, offset) = index.quotientAndRemainder(dividingBy: Self.pageSize)
      return pages[page][offset]
    }
    @inline(__always) _modify {
      let (page, offset) = index.quotientAndRemainder(dividingBy: Self.pageSize)
      yield &pages[page][offset]
    }
  }
}

extension PagedArray: Sendable where Element: Sendable {}
