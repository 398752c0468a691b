// SPDX-License-Identifier: Apache-2.0

extension UIKitSymbolPage {
  /// What the page says otherwise than the module, a sentence each.
  ///
  /// - Parameter graph: The module's symbols.
  /// - Returns: The rows that are wrong, then the symbols that have none.
  func mismatches(with graph: SymbolGraph) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for row in rows {
      for name in row.names {
        let isFirst = seen.insert(name).inserted
        let mistake =
          isFirst ? self.mistake(of: row, graph[name]) : "expected one row, found another"
        if let mistake { found.append("\(Self.path):\(row.line): `\(name)`: \(mistake)") }
      }
    }
    return found + symbolsWithoutRow(in: graph, except: seen) + idleExceptions(in: graph)
  }

  private func mistake(of row: Row, _ symbol: SymbolGraph.Symbol?) -> String? {
    guard let state = row.state else {
      return "expected \"as UIKit\", \"stub\" or \"missing\" under *here*"
    }
    guard let isolation = row.isolation else {
      return "expected \"main actor\" or \"none\" under *isolation*"
    }
    guard let symbol else {
      return state == .missing
        ? nil : "expected a public symbol, as the row says \(state.rawValue), found none"
    }
    if state == .missing { return "expected no such symbol, as the row says missing, found one" }
    guard symbol.isolations != [isolation] else { return nil }
    let here = symbol.isolations.map(\.rawValue).sorted().joined(separator: " and ")
    return "expected the isolation \(isolation.rawValue), found \(here)"
  }

  // MARK: - Symbols without a row

  /// Where the module has what belongs to the life cycle.
  private static let folders = [
    "Activity", "Application", "Process", "Requests", "Scene", "Services", "Targeting",
  ]

  /// Types of which the page has only what belongs to the life cycle.
  private static let partial: Set = ["UIResponder", "UIViewController"]

  /// What each type with raw values has.
  private static let raw: Set = ["rawValue", "init(rawValue:)"]

  /// What is public and not UIKit's.
  private static let others = [
    "CKShare": "CloudKit's, for an accepted share",
    "UNNotification": "of UserNotifications, for an answer to a notification",
    "UNNotificationContent": "of UserNotifications, for an answer to a notification",
    "UNNotificationDefaultActionIdentifier": "of UserNotifications, a constant for such answers",
    "UISceneSizeRestrictions": "how large windows may be, which is no part of the life cycle",
    "UNNotificationPresentationOptions": "of UserNotifications, for a delegate's other method",
    "UNNotificationRequest": "of UserNotifications, for an answer to a notification",
    "UNNotificationResponse": "of UserNotifications, for an answer to a notification",
    "UNUserNotificationCenter": "of UserNotifications, for the delegate that gets such answers",
    "UNUserNotificationCenterDelegate": "of UserNotifications, which gets such answers",
  ]

  private func symbolsWithoutRow(in graph: SymbolGraph, except names: Set<String>) -> [String] {
    graph.symbols.keys.sorted().filter { name in
      let parts = name.split(separator: ".").map(String.init)
      guard let type = parts.first, let member = parts.last else { return false }
      let isExcepted =
        Self.partial.contains(type) || Self.others[type] != nil || Self.raw.contains(member)
      guard !names.contains(name), !isExcepted else { return false }
      return types.contains(type) || isOfLifeCycle(graph.symbols[name]?.files ?? [])
    }.map { "`\($0)`: expected a row in \(Self.path), found none" }
  }

  private func isOfLifeCycle(_ files: Set<String>) -> Bool {
    files.contains { file in
      Self.folders.contains { file.contains("/Sources/ProsceniumUIKit/\($0)/") }
    }
  }

  private func idleExceptions(in graph: SymbolGraph) -> [String] {
    Self.others.keys.sorted().filter { graph.symbols[$0] == nil }
      .map { "`\($0)`: expected a symbol for the exception in this test, found none" }
  }
}
