// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import Testing

@testable import ProsceniumUIKit

struct UserInfoValueObjectTests {
  @Test func `objects become values of their kind`() {
    let date = Date(timeIntervalSince1970: 1)
    let pairs: [(Any, UserInfoValue)] = [
      ("a", .string("a")), (7, .integer(7)), (UInt8(1), .integer(1)), (1.5, .real(1.5)),
      (CGFloat(2.5), .real(2.5)), (true, .boolean(true)), (false, .boolean(false)),
      (NSNumber(value: 3), .integer(3)), (NSNumber(value: true), .boolean(true)),
      (date, .date(date)), (Data([1, 2]), .data([1, 2])), (NSNull(), .null),
      (URL(filePath: "/a"), .url("file:///a")),
      ([1, "b"] as [Any], .array([.integer(1), .string("b")])),
      (["k": [true]], .dictionary(["k": .array([.boolean(true)])])),
      (Set(["x"]), .set([.string("x")])),
    ]
    for (object, value) in pairs { #expect(UserInfoValue(object: object) == value, "\(object)") }
  }

  @Test func `other objects become none`() {
    struct Other {}
    let others: [Any] = [Other(), [Other()], ["k": Other()], [1: "a"], UInt64.max]
    for object in others { #expect(UserInfoValue(object: object) == nil, "\(object)") }
  }

  @Test func `numbers come back as numbers of any type`() {
    let seven = UserInfoValue.integer(7).object
    #expect(seven as? Int == 7)
    #expect(seven as? Double == 7)
    #expect(UserInfoValue.real(1.5).object as? Float == 1.5)
    #expect(UserInfoValue.boolean(true).object as? Bool == true)
    let dictionary = UserInfoValue.dictionary(["a": .integer(1)]).object
    #expect(dictionary as? [String: Int] == ["a": 1])
  }
}
