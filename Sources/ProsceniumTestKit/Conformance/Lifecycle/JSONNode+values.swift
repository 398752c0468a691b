// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONNode {
  /// The value of this node, as one of a `userInfo`.
  ///
  /// What JSON has no type for is an object with one of the keys `$date`, `$data`, `$url`, `$set`.
  func userInfoValue() throws(JSONFileError) -> UserInfoValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .boolean(value)
    case .integer(let value): return .integer(Int64(value))
    case .real(let value): return .real(value)
    case .text(let value): return .string(value)
    case .list: return .array(try userInfoValues())
    case .object:
      if let special = try specialValue() { return special }
      return .dictionary(try userInfoDictionary())
    }
  }

  /// The values of this node by name.
  func userInfoDictionary() throws(JSONFileError) -> [String: UserInfoValue] {
    var dictionary: [String: UserInfoValue] = [:]
    for (key, node) in try members() { dictionary[key] = try node.userInfoValue() }
    return dictionary
  }

  private func userInfoValues() throws(JSONFileError) -> [UserInfoValue] {
    var values: [UserInfoValue] = []
    for element in try elements() { values.append(try element.userInfoValue()) }
    return values
  }

  private func specialValue() throws(JSONFileError) -> UserInfoValue? {
    for (key, node) in try members() {
      let special: UserInfoValue
      switch key {
      case "$date": special = .date(try node.date())
      case "$data": special = .data(try node.bytes())
      case "$url": special = .url(try node.text())
      case "$set": special = .set(Set(try node.userInfoValues()))
      default: continue
      }
      try checkKeys(key)
      return special
    }
    return nil
  }

  private func date() throws(JSONFileError) -> Date {
    guard let date = try? Date(try text(), strategy: .iso8601) else {
      throw failure(.unknownValue, "a date such as 2026-01-02T03:04:05Z")
    }
    return date
  }

  private func bytes() throws(JSONFileError) -> [UInt8] {
    guard let data = Data(base64Encoded: try text()) else {
      throw failure(.unknownValue, "bytes in base64")
    }
    return Array(data)
  }
}

extension UserInfoValue {
  /// The value as a suite writes it; names and elements of sets in order.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .string(let value): .text(value)
    case .integer(let value): .integer(Int(value))
    case .real(let value): .real(value)
    case .boolean(let value): .bool(value)
    case .date(let value): .object([JSONMember("$date", .text(value.formatted(.iso8601)))])
    case .data(let value):
      .object([JSONMember("$data", .text(Data(value).base64EncodedString()))])
    case .url(let value): .object([JSONMember("$url", .text(value))])
    case .array(let values): .list(values.map(\.json))
    case .set(let values):
      .object([
        JSONMember("$set", .list(values.map(\.json).sorted { $0.description < $1.description }))
      ])
    case .dictionary(let values): Self.json(values)
    }
  }

  static func json(_ values: [String: UserInfoValue]) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value.json) })
  }
}
