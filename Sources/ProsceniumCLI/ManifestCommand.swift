// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium
import ProsceniumInfoPlist
import ProsceniumJSON
import ProsceniumLoad
import ProsceniumTerminal
import ProsceniumTestKit

/// `proscenium manifest`: what Info.plist files say about scenes.
struct ManifestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manifest",
    abstract: "Shows what an Info.plist says about scenes.",
    discussion: """
      FILE is an Info.plist in XML or in binary form. For each file it shows whether there may be \
      several scenes, the configurations of each role, the first of which is the role's default, \
      the declared activity types, and the keys of the scene manifest that have no meaning here. \
      Docs/MANIFEST.md goes through the keys.

      Build settings such as $(PRODUCT_MODULE_NAME) are shown as they are written; --set gives \
      them a value. With --json the files are a list of objects.

      A file that cannot be used is left out: a line on standard error has its name, the key path \
      and what was expected there. The others are still shown, and the exit code is 2.

      EXAMPLES
        proscenium manifest App/Info.plist
        proscenium manifest Info.plist --set PRODUCT_MODULE_NAME=Notes
        proscenium manifest --json */Info.plist
      """)

  @Argument(help: "The files; '-' is standard input.")
  var files: [String]

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value of a build setting; can be given several times.", valueName: "name=value"))
  var set: [String] = []

  @Flag(help: "Write JSON.")
  var json = false

  func validate() throws {
    for setting in set {
      guard let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
        throw ValidationError("--set: expected NAME=VALUE, found '\(setting)'.")
      }
    }
  }

  func run() throws {
    var shown: [JSONValue] = []
    var isEachFileGood = true
    for file in files {
      let properties: InfoPropertyList
      do {
        properties = try read(file)
      } catch {
        isEachFileGood = false
        Terminal.writeError("proscenium: \(Terminal.oneLine("\(error)"))\n")
        continue
      }
      if !json {
        try Terminal.writeOutput((shown.isEmpty ? "" : "\n") + ManifestText(file, properties).text)
      }
      shown.append(properties.json(file: file))
    }
    if json { try Terminal.writeOutput("\(JSONValue.list(shown))\n") }
    guard isEachFileGood else { throw ExitCode(2) }
  }

  private func read(_ file: String) throws -> InfoPropertyList {
    let settings = set.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
    return try InfoPropertyList(
      FileContents.read(file), name: file == "-" ? "standard input" : file,
      variables: Dictionary(settings) { _, later in later })
  }
}

extension InfoPropertyList {
  fileprivate func json(file: String) -> JSONValue {
    .object([
      JSONMember("file", .text(file)),
      JSONMember("manifest", manifest?.json ?? .null),
      JSONMember("activityTypes", .list((activityTypes ?? []).map { .text($0) })),
    ])
  }
}

extension InfoPropertyList.Manifest {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("supportsMultipleScenes", .bool(supportsMultipleScenes)),
      JSONMember(
        "configurations",
        .object(
          roles.map { role in JSONMember(role.name, .list(role.configurations.map(\.json))) })),
      JSONMember("unknownKeys", .list(unknownKeys.map { .text($0) })),
    ])
  }
}

extension InfoPropertyList.Configuration {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("name", name.map { .text($0) } ?? .null),
      JSONMember("delegateClass", delegateClass.map { .text($0) } ?? .null),
      JSONMember("sceneClass", sceneClass.map { .text($0) } ?? .null),
      JSONMember("storyboard", storyboard.map { .text($0) } ?? .null),
    ])
  }
}

/// What an Info.plist says about scenes, for people to read.
struct ManifestText {
  /// The lines, each with its line end.
  let text: String

  init(_ file: String, _ properties: InfoPropertyList) {
    text =
      "\(Terminal.printable(file))\n" + Self.facts(properties)
      + (properties.manifest.map(Self.configurations) ?? "")
  }

  private static func facts(_ properties: InfoPropertyList) -> String {
    var table = TextTable([.left, .left], indent: 2)
    if let manifest = properties.manifest {
      table.add("multiple scenes", manifest.supportsMultipleScenes ? "yes" : "no")
    } else {
      table.add("no scene manifest")
    }
    for (label, texts) in [
      ("activity types", properties.activityTypes ?? []),
      ("unknown keys", properties.manifest?.unknownKeys ?? []),
    ] {
      for (index, text) in texts.enumerated() {
        table.add(index == 0 ? label : "", Terminal.printable(text))
      }
    }
    return table.description
  }

  /// The roles, each with its configurations in columns that all roles share.
  private static func configurations(_ manifest: InfoPropertyList.Manifest) -> String {
    var table = TextTable([.left, .left, .left, .left, .left], indent: 4)
    table.add("", "configuration", "delegate class", "scene class", "storyboard")
    for role in manifest.roles {
      for (index, configuration) in role.configurations.enumerated() {
        table.add(
          index == 0 ? "default" : "", cell(configuration.name), cell(configuration.delegateClass),
          cell(configuration.sceneClass), cell(configuration.storyboard))
      }
    }
    var lines = table.description.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let header = lines.removeFirst()
    return manifest.roles.map { role in
      let name = "\n  \(Terminal.printable(role.name))\n"
      guard !role.configurations.isEmpty else { return name + "    no configurations\n" }
      let rows = lines.prefix(role.configurations.count)
      lines = lines.dropFirst(rows.count)
      return name + ([header] + rows).joined(separator: "\n") + "\n"
    }.joined()
  }

  private static func cell(_ text: String?) -> String {
    text.map(Terminal.printable) ?? "-"
  }
}
