// SPDX-License-Identifier: Apache-2.0

public import CProscenium

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
  @inlinable public init() {}

  /// Adds an element at the end.
  @inlinable
  public mutating func append(_ element: Element) {
    if count % Self.pageSize == 0 {
      var page = ContiguousArray<Element>()
      // A small array takes what it needs.
      if !pages.isEmpty { page.reserveCapacity(Self.pageSize) }
      pages.append(page)
    }
    pages[count / Self.pageSize].append(element)
    elementCount += 1
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

extension PagedArray {
  /// Asks the processor to fetch an element, if there is one at the index.
  @inlinable
  @inline(__always)
  public func prefetch(_ index: Int) {
    guard index < elementCount else { return }
    unsafe pages[index / Self.pageSize].withUnsafeBufferPointer { page in
      unsafe proscenium_prefetch_read(
        page.baseAddress.unsafelyUnwrapped + index % Self.pageSize)
    }
  }
}

extension PagedArray: Sendable where Element: Sendable {}
