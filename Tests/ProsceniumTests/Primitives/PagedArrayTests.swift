// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumPrimitives
import Testing

@Suite struct PagedArrayTests {
  @Test func `a new array is empty`() {
    #expect(PagedArray<Int>().count == 0)
  }

  @Test(arguments: [1, 2, 255, 256, 257, 5_000])
  func `elements are where they were appended, across pages`(count: Int) {
    var array = PagedArray<Int>()
    for number in 0..<count { array.append(number) }
    #expect(array.count == count)
    #expect((0..<count).map { array[$0] } == Array(0..<count))
  }

  @Test func `never more than about a third of a page stays empty`() {
    var array = PagedArray<Int>()
    var emptiest = 0
    for number in 0..<2_000 {
      array.append(number)
      if array.pages.count > 1 {
        let room = array.pages.reduce(0) { $0 + $1.capacity }
        emptiest = max(emptiest, room - array.count)
      }
    }
    // A quarter, and what the allocator rounds up to.
    #expect(emptiest <= PagedArray<Int>.pageSize * 3 / 8)
  }

  @Test func `an element larger than a page has a page of its own`() {
    struct Large {
      var number: Int
      var filling: InlineArray<1_000, Int> = .init(repeating: 0)
    }
    var array = PagedArray<Large>()
    for number in 0..<5 { array.append(Large(number: number)) }
    #expect((0..<5).map { array[$0].number } == Array(0..<5))
  }

  @Test func `elements are changed in place, and a copy keeps its own`() {
    var array = PagedArray<[Int]>()
    for number in 0..<600 { array.append([number]) }
    let copy = array
    array[0].append(-1)
    array[599].append(-2)
    #expect(array[0] == [0, -1])
    #expect(array[599] == [599, -2])
    #expect(copy[0] == [0])
    #expect(copy[599] == [599])
  }
}
