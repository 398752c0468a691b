// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumInfoPlist
import Testing

/// Files that are no property lists, or were.
@Suite struct InfoPropertyListDamageTests {
  // MARK: - Other formats

  @Test(
    arguments: [
      ("", "no bytes but white space"), (" \n", "no bytes but white space"),
      ("{ UIApplicationSceneManifest = { }; }", "an old-style property list or JSON"),
      ("(a, b)", "an old-style property list or JSON"),
      ("// !$*UTF8*$!\n{}", "an old-style property list or JSON"),
      ("{\"UIApplicationSceneManifest\": {}}", "an old-style property list or JSON"),
      ("hello", "\"hello\""), ("bplist15", "\"bplist15\""),
      ("\u{0}\u{1B}[31m", "\"\\0\\u{1B}[31m\""),
      ("<html></html>", "\"<html></html>\""), ("<dict/>", "\"<dict/>\""),
    ])
  func `another format is refused`(text: String, found: String) throws {
    let error = try #require(SamplePropertyList.refusal(Array(text.utf8)))
    #expect(error.code == .notAPropertyList)
    #expect(error.found.hasPrefix(found), "\(error)")
  }

  @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func `UTF-16 is refused`(mark: [UInt8]) throws {
    let error = try #require(SamplePropertyList.refusal(mark + [0x3C, 0, 0x3C]))
    #expect(error.code == .notAPropertyList)
    #expect(error.found == "UTF-16")
  }

  // MARK: - XML

  @Test(
    arguments: [
      ("<plist><dict>", "<key> or </dict>", 1, 14), ("<plist>", "a value in <plist>", 1, 8),
      ("<plist/>", "a value in <plist>", 1, 1), ("<plist></plist>", "a value", 1, 8),
      ("<plist>\n<dict/>", "</plist>", 2, 8), ("<plist><dict/><dict/></plist>", "</plist>", 1, 15),
      ("<plist><dict/></plist>\nx", "the end of the file", 2, 1),
      ("<plist><dict>\n  <key>é</key>\n</dict></plist>", "a value", 3, 1),
      ("<plist><dict><key>a</key></dict></plist>", "a value", 1, 26),
      ("<plist><dict><true/></dict></plist>", "<key> or </dict>", 1, 14),
      ("<plist><dict></array></plist>", "<key> or </dict>", 1, 14),
      ("<plist><dict>x</dict></plist>", "<key> or </dict>", 1, 14),
      ("<plist><array><dog/></array></plist>", "<dict>, <array>, <string> or", 1, 15),
      ("<plist><array><key>a</key></array></plist>", "<dict>, <array>, <string> or", 1, 15),
      ("<plist><string>a</strong></plist>", "</string>", 1, 17),
      ("<plist><string>é<b>a</b></string></plist>", "</string>", 1, 17),
      ("<plist><string>a", "</string>", 1, 17), ("<plist><string>a<!-- ", "-->", 1, 22),
      ("<plist><string><![CDATA[a]]</string>", "]]>", 1, 37),
      ("<plist><string>&amp</string></plist>", "&lt; &gt;", 1, 16),
      ("<plist><string>&nbsp;</string></plist>", "&lt; &gt;", 1, 16),
      ("<plist><string>&#xD800;</string></plist>", "&lt; &gt;", 1, 16),
      ("<plist><string>&#99999999999;</string></plist>", "&lt; &gt;", 1, 16),
      ("<plist><true>a</true></plist>", "</true>", 1, 14),
      ("<plist><dict", "'>'", 1, 13), ("<plist><dict a='>", "'>'", 1, 18),
      ("<plist><dict <key/></dict></plist>", "'>'", 1, 8),
      ("<plist>< dict/></plist>", "a value in <plist>", 1, 8),
      ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "a document type", 1, 10),
      ("<!DOCTYPE plist", ">", 1, 16), ("<?xml", "?>", 1, 6), ("<!-- a", "-->", 1, 7),
    ])
  func `XML that breaks off or breaks the rules has a place`(
    text: String, expected: String, line: Int, column: Int
  ) throws {
    let error = try #require(SamplePropertyList.refusal(Array(text.utf8)))
    #expect(error.code == .damaged)
    #expect(error.expected.hasPrefix(expected), "\(error)")
    #expect(error.place == .line(line, column: column), "\(error)")
  }

  @Test func `a text in another encoding is refused`() throws {
    let error = try #require(
      SamplePropertyList.refusal(Array("<plist><string>".utf8) + [0xE9] + Array("</string>".utf8)))
    #expect(error.code == .damaged)
    #expect(error.expected == "UTF-8")
  }

  @Test func `entities cannot grow`() throws {
    let bomb = """
      <!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
      <plist><string>&b;&b;</string></plist>
      """
    #expect(SamplePropertyList.refusal(Array(bomb.utf8))?.code == .damaged)
  }

  @Test func `a file that is cut off anywhere is refused`() throws {
    let xml = SamplePropertyList.configurations(
      "<key>UISceneConfigurationName</key><string>A</string>")
    #expect(SamplePropertyList.refusal(xml) == nil)
    // Only the line end after </plist> may be missing.
    for count in 0..<xml.count - 1 {
      #expect(SamplePropertyList.refusal(Array(xml.prefix(count))) != nil, "\(count) bytes")
    }
    let object = ["UIApplicationSceneManifest": ["UISceneConfigurations": ["A": [["B": "é"]]]]]
    let binary = try SamplePropertyList.written(object, .binary)
    #expect(SamplePropertyList.refusal(binary) == nil)
    for count in 0..<binary.count {
      #expect(SamplePropertyList.refusal(Array(binary.prefix(count))) != nil, "\(count) bytes")
    }
  }

  // MARK: - Binary form

  private static func file(_ body: [UInt8], _ trailer: [UInt8]) -> [UInt8] {
    Array("bplist00".utf8) + body + trailer
  }

  @Test(
    arguments: [
      SamplePropertyList.trailer(objects: 0, table: 9),
      SamplePropertyList.trailer(objects: 2, table: 9),
      SamplePropertyList.trailer(objects: 1, top: 1, table: 9),
      SamplePropertyList.trailer(objects: 1, table: 8),
      SamplePropertyList.trailer(objects: 1, table: 10),
      SamplePropertyList.trailer(objects: 1, table: 43),
      SamplePropertyList.trailer(objects: 1, table: -1),
      SamplePropertyList.trailer(objects: -1, table: 9),
      SamplePropertyList.trailer(objects: .max, table: 9),
      SamplePropertyList.trailer(objects: .max / 2 + 2, table: 9),
      SamplePropertyList.trailer(offsetSize: 0, objects: 1, table: 9),
      SamplePropertyList.trailer(offsetSize: 9, objects: 1, table: 9),
      SamplePropertyList.trailer(referenceSize: 0, objects: 1, table: 9),
      SamplePropertyList.trailer(referenceSize: 255, objects: 1, table: 9),
    ])
  func `a trailer that does not fit the file is refused`(trailer: [UInt8]) throws {
    let good = Self.file([0xD0, 0, 8], SamplePropertyList.trailer(objects: 1, table: 9))
    #expect(SamplePropertyList.refusal(good) == nil)
    let error = try #require(SamplePropertyList.refusal(Self.file([0xD0, 0, 8], trailer)))
    #expect(error.code == .damaged)
    #expect(error.place == .byte(11))
  }

  @Test(arguments: [[0, 7], [0, 9], [0xFF, 0xFF]] as [[UInt8]])
  func `an offset outside the objects is refused`(offset: [UInt8]) throws {
    let bytes = Self.file([0xD0] + offset, SamplePropertyList.trailer(objects: 1, table: 9))
    let error = try #require(SamplePropertyList.refusal(bytes))
    #expect(error.code == .damaged)
    #expect(error.place == .byte(9))
  }

  @Test(
    arguments: [
      [0xA1, 9], [0xD1, 1], [0xDF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x5F, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0],
      [0x6F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0], [0x4F, 0x12, 0x40, 0, 0, 0], [0xAF], [0xAF, 0x51],
      [0xAF, 0x14, 0, 0], [0x5F, 0x10], [0x15], [0x13, 0], [0x23, 1], [0x33, 1], [0x42, 1],
      [0x52, 0x61],
      [0x51, 0x80], [0x62, 0, 0x61], [0x61, 0xD8, 0], [0x70], [0x8F], [0xE0], [0xFF], [0x0F],
      [0xC1],
    ] as [[UInt8]])
  func `an object that breaks the format is refused`(object: [UInt8]) throws {
    let error = try #require(SamplePropertyList.refusal(SamplePropertyList.binary(object)))
    #expect(error.code == .damaged, "\(error)")
  }

  @Test(
    arguments: [
      ([0x00], "null"), ([0x13, 0, 0, 0, 0, 0, 0, 0, 1], "an integer"),
      ([0x22, 0, 0, 0, 0], "a real"), ([0x33, 0, 0, 0, 0, 0, 0, 0, 0], "a date"), ([0x40], "data"),
      ([0x80, 1], "an identifier of an archive"), ([0xC0], "a set"),
      ([0x61, 0, 0xE9], "the string \"é\""),
    ] as [([UInt8], String)])
  func `types that no manifest has are read over`(object: [UInt8], summary: String) throws {
    let bytes = SamplePropertyList.binary([0xD1, 1, 2], SamplePropertyList.text("a"), object)
    #expect(SamplePropertyList.refusal(bytes) == nil)
    #expect(SamplePropertyList.refusal(SamplePropertyList.binary(object))?.found == summary)
  }

  @Test func `circles end`() throws {
    let itself = SamplePropertyList.binary([0xA1, 0])
    #expect(SamplePropertyList.refusal(itself)?.code == .limitExceeded)
    let many = SamplePropertyList.binary([0xAE] + [UInt8](repeating: 0, count: 14))
    #expect(SamplePropertyList.refusal(many)?.code == .limitExceeded)
    let longer = SamplePropertyList.binary([0xA1, 1], [0xD1, 2, 0], [0x51, 0x61])
    #expect(SamplePropertyList.refusal(longer)?.code == .limitExceeded)
  }

  @Test func `objects that are in many places end`() throws {
    // Twelve levels of fourteen references to the next would be 10¹³ values.
    var levels = (1...12).map { [0xAE] + [UInt8](repeating: $0, count: 14) }
    levels.append([0x09])
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for level in levels {
      table += [0, UInt8(bytes.count)]
      bytes += level
    }
    bytes += table + SamplePropertyList.trailer(objects: levels.count, table: bytes.count)
    #expect(SamplePropertyList.refusal(bytes)?.code == .limitExceeded)
  }
}
