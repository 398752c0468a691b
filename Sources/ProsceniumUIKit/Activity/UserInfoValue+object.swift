// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium

// UIKit's dictionaries hold anything; what is kept of them are the values that R-SR-9 names.
extension UserInfoValue {
  /// Makes a value of an object, or nil if it is, or holds, something else.
  init?(object: Any) {
    switch object {
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let date as Date: self = .date(date)
    case let data as Data: self = .data([UInt8](data))
    case let url as URL: self = .url(url.absoluteString)
    case let values as [Any]: self.init(array: values)
    case let values as [AnyHashable: Any]: self.init(dictionary: values)
    case let values as Set<AnyHashable>: self.init(set: values)
    default: self.init(number: object)
    }
  }

  private init?(array objects: [Any]) {
    let values = objects.compactMap { UserInfoValue(object: $0) }
    guard values.count == objects.count else { return nil }
    self = .array(values)
  }

  private init?(set objects: Set<AnyHashable>) {
    let values = objects.compactMap { UserInfoValue(object: $0.base) }
    guard values.count == objects.count else { return nil }
    self = .set(Set(values))
  }

  private init?(dictionary objects: [AnyHashable: Any]) {
    var values: [String: UserInfoValue] = [:]
    for (key, object) in objects {
      guard let key = key.base as? String, let value = UserInfoValue(object: object) else {
        return nil
      }
      values[key] = value
    }
    self = .dictionary(values)
  }

  /// Makes a number, or a truth value of nothing but a truth value: a cast takes 0 and 1 for some.
  private init?(number object: Any) {
    if type(of: object) == Bool.self, let value = object as? Bool {
      self = .boolean(value)
    } else if let value = object as? any BinaryInteger {
      guard let value = Int64(exactly: value) else { return nil }
      self = .integer(value)
    } else if let value = object as? any BinaryFloatingPoint {
      self = .real(Double(value))
    } else if let number = object as? NSNumber {
      switch unsafe String(cString: number.objCType) {
      case "c" where number == 0 || number == 1: self = .boolean(number.boolValue)
      case "d", "f": self = .real(number.doubleValue)
      case "Q" where number.uint64Value > UInt64(Int64.max): return nil
      default: self = .integer(number.int64Value)
      }
    } else {
      return nil
    }
  }

  /// The value as an object of a class, as a quick action has it.
  var codingObject: (any NSSecureCoding)? {
    switch self {
    case .string(let value): NSString(string: value)
    case .date(let value): NSDate(timeIntervalSince1970: value.timeIntervalSince1970)
    case .data(let value): NSData(data: Data(value))
    case .array(let values): NSArray(array: values.compactMap(\.codingObject))
    case .dictionary(let values): NSDictionary(dictionary: values.compactMapValues(\.codingObject))
    case .set(let values): NSSet(array: values.compactMap(\.codingObject))
    case .url(let text): NSURL(string: text)
    case .integer, .real, .boolean, .null: object as? any NSSecureCoding
    }
  }

  /// The value as an object.
  ///
  /// Numbers are `NSNumber`, so that a cast to any type of number succeeds, whichever the program
  /// has put in, as with UIKit; but for `CGFloat`, which Foundation on Linux does not cast to.
  var object: Any {
    switch self {
    case .string(let value): value
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .boolean(let value): NSNumber(value: value)
    case .date(let value): value
    case .data(let value): Data(value)
    case .array(let values): values.map(\.object)
    case .dictionary(let values): values.mapValues(\.object)
    case .null: NSNull()
    case .set(let values): Set(values.compactMap { $0.object as? AnyHashable })
    case .url(let text): URL(string: text) ?? text as Any
    }
  }
}

/// A dictionary of a program, as what is kept of it.
package struct UserInfo {
  package private(set) var values: [String: UserInfoValue] = [:]

  /// Reads a dictionary.
  ///
  /// - Parameters:
  ///   - objects: What the program put in.
  ///   - place: Where that was; a fault names it for each entry that cannot be kept.
  package init(_ objects: [AnyHashable: Any], of place: String) {
    for (key, object) in objects {
      guard let name = key.base as? String else {
        Faults.note("\(place): expected keys that are strings, found \(key.base)")
        continue
      }
      guard let value = UserInfoValue(object: object) else {
        Faults.note(
          "\(place): expected under \"\(name)\" a string, a number, a date, data, a URL, or an "
            + "array, a set or a dictionary of these, found \(type(of: object))")
        continue
      }
      values[name] = value
    }
  }
}
