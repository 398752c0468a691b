// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumInfoPlist

/// Property lists for tests, as the bytes of their files.
enum SamplePropertyList {
  /// A file in XML with the text of its one value.
  static func xml(_ value: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(value)
      </plist>

      """.utf8)
  }

  /// A file in XML whose scene manifest has these entries.
  static func manifest(_ entries: String) -> [UInt8] {
    xml("<dict><key>UIApplicationSceneManifest</key><dict>\(entries)</dict></dict>")
  }

  /// A file in XML with these configurations, each the entries of a dictionary, of the windows.
  static func configurations(_ configurations: String...) -> [UInt8] {
    let list = configurations.map { "<dict>\($0)</dict>" }.joined()
    return manifest(
      """
      <key>UISceneConfigurations</key><dict>
      <key>UIWindowSceneSessionRoleApplication</key><array>\(list)</array></dict>
      """)
  }

  /// A value as Foundation writes it.
  static func written(
    _ value: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> [UInt8] {
    Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
  }

  /// A file in binary form made of objects as they are in it; the first one is the top.
  ///
  /// References to objects have one byte, and offsets two.
  static func binary(_ objects: [UInt8]..., top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let start = bytes.count
    return bytes + table + trailer(objects: objects.count, top: top, table: start)
  }

  /// The last 32 bytes of a file in binary form.
  static func trailer(
    offsetSize: UInt8 = 2, referenceSize: UInt8 = 1, objects: Int, top: UInt8 = 0, table: Int
  ) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, offsetSize, referenceSize] + eight(objects) + eight(Int(top)) + eight(table)
  }

  private static func eight(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// The object of a short text.
  static func text(_ text: String) -> [UInt8] {
    [0x5F, 0x10, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  /// The error with which a file is refused, or nil.
  static func refusal(_ bytes: [UInt8], variables: [String: String] = [:]) -> ManifestError? {
    do throws(ManifestError) {
      _ = try InfoPropertyList(bytes, variables: variables)
      return nil
    } catch {
      return error
    }
  }
}
