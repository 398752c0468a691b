// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Foundation
import Proscenium
import ProsceniumInfoPlist
import Testing

/// How an Info.plist is refused: with a code, the keys that lead to the place, and a sentence.
@Suite struct InfoPropertyListErrorTests {
  private static let manifest = "UIApplicationSceneManifest"
  private static let roles = "\(manifest).UISceneConfigurations"
  private static let windows = "\(roles).UIWindowSceneSessionRoleApplication"

  // MARK: - Types and names

  @Test(
    arguments: [
      ("<array/>", "", "a dictionary", "an array"),
      ("<string>a</string>", "", "a dictionary", "the string \"a\""),
      ("<dict><key>\(manifest)</key><array/></dict>", manifest, "a dictionary", "an array"),
      (
        "<dict><key>NSUserActivityTypes</key><string>a</string></dict>", "NSUserActivityTypes",
        "an array", "the string \"a\""
      ),
      (
        "<dict><key>NSUserActivityTypes</key><array><string/><real>1</real></array></dict>",
        "NSUserActivityTypes[1]", "a string", "a real"
      ),
    ])
  func `a value of another type is refused with its key path`(
    value: String, keyPath: String, expected: String, found: String
  ) throws {
    let error = try #require(SamplePropertyList.refusal(SamplePropertyList.xml(value)))
    #expect(error.code == .wrongType)
    #expect(error.keyPath == keyPath)
    #expect(error.expected == expected)
    #expect(error.found == found)
  }

  @Test(
    arguments: [
      ("<key>UIApplicationSupportsMultipleScenes</key><string>YES</string>", "true or false"),
      ("<key>UIApplicationSupportsMultipleScenes</key><integer>1</integer>", "true or false"),
      ("<key>UISceneConfigurations</key><array/>", "a dictionary"),
    ])
  func `a value of the manifest of another type is refused`(
    entries: String, expected: String
  ) throws {
    let file = SamplePropertyList.manifest(entries)
    let error = try #require(SamplePropertyList.refusal(file))
    #expect(error.code == .wrongType)
    let key = try #require(entries.split(separator: "<")[0].split(separator: ">").last)
    #expect(error.keyPath == "\(Self.manifest).\(key)")
    #expect(error.expected == expected)
  }

  @Test(arguments: ["<dict/>", "<true/>"])
  func `the configurations of a role are an array`(value: String) throws {
    let entries = "<key>UISceneConfigurations</key><dict><key>A</key>\(value)</dict>"
    let error = try #require(SamplePropertyList.refusal(SamplePropertyList.manifest(entries)))
    #expect(error.code == .wrongType)
    #expect(error.keyPath == "\(Self.roles).A")
  }

  @Test(
    arguments: [
      "UISceneConfigurationName", "UISceneDelegateClassName", "UISceneClassName",
      "UISceneStoryboardFile",
    ], ["<true/>", "<date/>", "<data/>", "<dict/>", "<array/>", "<integer>1</integer>"])
  func `each key of a configuration is a string`(key: String, value: String) throws {
    let file = SamplePropertyList.configurations("", "<key>\(key)</key>\(value)")
    let error = try #require(SamplePropertyList.refusal(file))
    #expect(error.code == .wrongType)
    #expect(error.keyPath == "\(Self.windows)[1].\(key)")
    #expect(error.expected == "a string")
  }

  @Test func `a configuration is a dictionary`() throws {
    let object: [String: Any] = [
      Self.manifest: ["UISceneConfigurations": ["A": [[:], Data()] as [Any]]]
    ]
    let error = try #require(
      SamplePropertyList.refusal(SamplePropertyList.written(object, .binary)))
    #expect(error.code == .wrongType)
    #expect(error.keyPath == "\(Self.roles).A[1]")
    #expect(error.found == "data")
    guard case .byte = error.place else {
      Issue.record("\(error)")
      return
    }
  }

  @Test func `a name that is there twice is refused`() throws {
    let name = "<key>UISceneConfigurationName</key><string>A</string>"
    let file = SamplePropertyList.configurations(name, "", "", name)
    let error = try #require(SamplePropertyList.refusal(file))
    #expect(error.code == .duplicate)
    #expect(error.keyPath == "\(Self.windows)[3].UISceneConfigurationName")
    #expect(error.found == "\"A\" again")
  }

  @Test func `names are unique with the values of their build settings`() throws {
    let file = SamplePropertyList.configurations(
      "<key>UISceneConfigurationName</key><string>$(A)</string>",
      "<key>UISceneConfigurationName</key><string>$(B)</string>")
    #expect(SamplePropertyList.refusal(file) == nil)
    #expect(SamplePropertyList.refusal(file, variables: ["A": "x", "B": "y"]) == nil)
    #expect(SamplePropertyList.refusal(file, variables: ["A": "x", "B": "x"])?.code == .duplicate)
  }

  @Test func `roles have names of their own`() throws {
    let role = "<array><dict><key>UISceneConfigurationName</key><string>A</string></dict></array>"
    let file = SamplePropertyList.manifest(
      "<key>UISceneConfigurations</key><dict><key>A</key>\(role)<key>B</key>\(role)</dict>")
    #expect(SamplePropertyList.refusal(file) == nil)
  }

  @Test(
    arguments: [
      (
        "<dict><key>\(manifest)</key><dict/><key>\(manifest)</key><dict/></dict>", manifest
      ),
      (
        "<dict><key>NSUserActivityTypes</key><array/><key>NSUserActivityTypes</key><true/></dict>",
        "NSUserActivityTypes"
      ),
      (
        "<dict><key>\(manifest)</key><dict><key>A</key><true/><key>A</key><true/></dict></dict>",
        "\(manifest).A"
      ),
    ])
  func `a key that is there twice is refused`(value: String, keyPath: String) throws {
    let error = try #require(SamplePropertyList.refusal(SamplePropertyList.xml(value)))
    #expect(error.code == .duplicate)
    #expect(error.keyPath == keyPath)
  }

  @Test func `an error is a sentence with file, keys and place`() throws {
    let file = SamplePropertyList.manifest(
      "\n  <key>UIApplicationSupportsMultipleScenes</key> <string>YES\u{1B}</string>")
    let error = try #require(SamplePropertyList.refusal(file))
    #expect(
      "\(error)" == """
        Info.plist: UIApplicationSceneManifest.UIApplicationSupportsMultipleScenes: expected true \
        or false, found the string "YES\\u{1B}" (line 5, column 50).
        """)
    #expect(error.place == .line(5, column: 50))
  }

  // MARK: - Limits

  @Test func `a file has at most 1 MiB`() throws {
    let start = SamplePropertyList.xml("<dict/>")
    let space = [UInt8](repeating: 0x20, count: InfoPropertyList.byteLimit - start.count)
    #expect(SamplePropertyList.refusal(start + space) == nil)
    let error = try #require(SamplePropertyList.refusal(start + space + [0x20]))
    #expect(error.code == .limitExceeded)
    #expect("\(error)" == "Info.plist: expected at most 1048576 bytes, found 1048577.")
  }

  @Test(arguments: [(32, true), (33, false), (70_000, false)])
  func `values are at most 32 deep in one another`(depth: Int, isGood: Bool) throws {
    let inner =
      String(repeating: "<array>", count: depth - 1)
      + String(repeating: "</array>", count: depth - 1)
    let xml = SamplePropertyList.xml("<dict><key>a</key>\(inner)</dict>")
    let error = SamplePropertyList.refusal(xml)
    #expect(error?.code == (isGood ? nil : .limitExceeded))
  }

  @Test(arguments: [(32, true), (33, false), (250, false)])
  func `objects in binary form are at most 32 deep`(depth: Int, isGood: Bool) throws {
    var value: Any = [String: Any]()
    for _ in 1..<depth { value = ["a": value] }
    let error = try SamplePropertyList.refusal(SamplePropertyList.written(value, .binary))
    #expect(error?.code == (isGood ? nil : .limitExceeded))
  }

  @Test func `a small stack is enough`() throws {
    let nested = String(repeating: "<dict><key>a</key>", count: 32) + "<true/>"
    let xml = SamplePropertyList.xml(nested + String(repeating: "</dict>", count: 32))
    var value: Any = true
    for _ in 1...32 { value = ["a": value] }
    let binary = try SamplePropertyList.written(value, .binary)
    let circle = SamplePropertyList.binary([0xA1, 0])
    let done = DispatchSemaphore(value: 0)
    let codes = Guarded<[ManifestError.Code?]>([])
    let thread = Thread {
      let found = [xml, binary, circle].map { SamplePropertyList.refusal($0)?.code }
      codes.withLock { $0 = found }
      done.signal()
    }
    thread.stackSize = 384 << 10
    thread.start()
    done.wait()
    #expect(codes.withLock { $0 } == [nil, nil, .limitExceeded])
  }

  @Test func `texts and keys have at most 1,024 bytes`() throws {
    func file(_ count: Int, key: Int = 1) -> [UInt8] {
      SamplePropertyList.configurations(
        "<key>UISceneClassName</key><string>\(String(repeating: "é", count: count / 2))</string>",
        "<key>\(String(repeating: "k", count: key))</key><true/>")
    }
    #expect(SamplePropertyList.refusal(file(1_024, key: 1_024)) == nil)
    #expect(SamplePropertyList.refusal(file(1_026))?.code == .limitExceeded)
    #expect(SamplePropertyList.refusal(file(1, key: 1_025))?.code == .limitExceeded)
    let settings = ["A": String(repeating: "a", count: 1_025)]
    let named = SamplePropertyList.configurations(
      "<key>UISceneClassName</key><string>$(A)</string>")
    #expect(SamplePropertyList.refusal(named, variables: settings)?.code == .limitExceeded)
  }

  @Test func `lists have at most 1,024 entries, and roles are at most 255`() throws {
    func roles(_ count: Int, _ configurations: Int = 0, unknown: Int = 0) -> [UInt8] {
      let keys = (0..<unknown).map { "<key>u\($0)</key><true/>" }.joined()
      let list = String(repeating: "<dict>\(keys)</dict>", count: configurations)
      let roles = (0..<count).map { "<key>r\($0)</key><array>\(list)</array>" }.joined()
      return SamplePropertyList.manifest("<key>UISceneConfigurations</key><dict>\(roles)</dict>")
    }
    for good in [roles(255), roles(1, 1_024), roles(4, 256), roles(1, 2, unknown: 512)] {
      #expect(SamplePropertyList.refusal(good) == nil)
    }
    for bad in [roles(256), roles(1, 1_025), roles(5, 205), roles(1, 5, unknown: 205)] {
      #expect(SamplePropertyList.refusal(bad)?.code == .limitExceeded)
    }
    let types = String(repeating: "<string>a</string>", count: 1_025)
    let file = SamplePropertyList.xml(
      "<dict><key>NSUserActivityTypes</key><array>\(types)</array></dict>")
    #expect(SamplePropertyList.refusal(file)?.code == .limitExceeded)
  }
}
