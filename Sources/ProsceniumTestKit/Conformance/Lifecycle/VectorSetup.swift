// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumPrimitives
import Proscenium

/// What there is when a vector begins.
struct VectorSetup: Decodable, Sendable {
  enum Process: String, JSONWord {
    case running, notRunning
  }

  /// Which of UIKit's notifications are logged.
  enum Notes: String, JSONWord {
    case none, app, all
  }

  enum LastSessionClose: String, JSONWord {
    case discard, uikitCompat
  }

  enum SnapshotDance: String, JSONWord {
    case quiet, uikit
  }

  struct Activity: Decodable, Sendable {
    let type: String?
    let targetContentIdentifier: String?
    let webpageURL: String?
    let userInfo: VectorValues?
  }

  /// A configuration of the manifest.
  struct ManifestEntry: Decodable, Sendable {
    let name: String
    var delegateClass: String?
    var sceneClass: String?

    func configuration(_ role: SuiteRole) -> SceneConfiguration {
      SceneConfiguration(
        name: name, role: role.role, delegateClass: delegateClass ?? "\(name)Delegate",
        sceneClass: sceneClass ?? "WindowScene")
    }
  }

  /// What the application delegate returns for some new sessions.
  struct ConfigurationRule: Decodable, Sendable {
    /// What a scene can be connected for.
    enum Options: String, JSONWord {
      case none, url, act, handoff, notif, shortcut, share
    }

    struct Returned: Decodable, Sendable {
      let name: Nullable<String>
      let role: SuiteRole?
    }

    let session: SessionLabel?
    let options: Options?
    let `return`: Returned
  }

  struct ApplicationDelegate: Decodable, Sendable {
    let configurationForConnecting: ConfigurationRules?
    /// The delegate of this runtime has no such methods, so that nothing can call them.
    let legacyUIMethods: Bool?
  }

  /// A list of rules, or `absent`: the application delegate lacks the method.
  struct ConfigurationRules: Decodable, Sendable {
    let rules: [ConfigurationRule]?

    init(from decoder: any Decoder) throws {
      if case .text(let text) = decoder.json.value {
        guard text == "absent" else {
          throw decoder.json.failure(.unknownValue, "absent, or a list of rules")
        }
        rules = nil
      } else {
        rules = try [ConfigurationRule](from: decoder)
      }
    }
  }

  /// The runtime takes no more variants than it can keep.
  struct Variants: Decodable, Sendable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      names = try [String](from: decoder)
      guard names.count <= 8 else {
        throw decoder.json.failure(.outOfRange, "at most 8 variants", found: "\(names.count)")
      }
    }
  }

  let process: Process?
  let sessions: VectorSessions?
  let manifest: Nullable<Named<SuiteRole, [ManifestEntry]>>?
  let registeredClasses: [String]?
  let supportsMultipleScenes: Bool?
  let activityTypes: [String]?
  let activities: Named<ActivityLabel.New, Activity>?
  let foregroundCapacity: VectorNumber?
  let sessionQuota: SuiteCount?
  let lastSessionClose: LastSessionClose?
  let restorationLimit: VectorSeconds?
  let snapshotVariants: Variants?
  let snapshotDance: SnapshotDance?
  let notes: Notes?
  let appDelegate: ApplicationDelegate?
  let sceneDelegate: SceneScripts?

  /// The configurations of the manifest; none: there is no manifest.
  var configurations: [SceneConfiguration] {
    guard let manifest else {
      return [ManifestEntry(name: "Default").configuration(.windowApplication)]
    }
    return (manifest.value?.members ?? []).flatMap { role, entries in
      entries.map { $0.configuration(role) }
    }
  }

  /// What `configurationForConnecting` returns; nil if the application delegate lacks it.
  var configurationRules: [ConfigurationRule]? {
    guard let rules = appDelegate?.configurationForConnecting else { return [] }
    return rules.rules
  }
}

extension VectorSetup.ConfigurationRule {
  func matches(_ session: SessionLabel, _ options: Scene.ConnectionOptions) -> Bool {
    if let expected = self.session, expected != session { return false }
    return switch self.options {
    case nil: true
    case .some(.none): options.isEmpty
    case .url: !options.urlContexts.isEmpty
    case .act: !options.userActivities.isEmpty
    case .handoff: options.handoffUserActivityType != nil
    case .notif: options.notificationResponse != nil
    case .shortcut: options.shortcutItem != nil
    case .share: options.shareMetadata != nil
    }
  }

  func configuration(for role: SceneSession.Role) -> SceneConfiguration {
    SceneConfiguration(name: `return`.name.value, sessionRole: `return`.role?.role ?? role)
  }
}

/// The runner's own activities, by their labels; each has its label as its title.
final class VectorActivities: Sendable {
  private let activities: Guarded<[String: UserActivity]>

  init(_ setup: VectorSetup) {
    var activities: [String: UserActivity] = [:]
    for (label, activity) in setup.activities?.members ?? [] {
      activities[label.description] = UserActivity(
        activity.type ?? "t", title: label.description,
        userInfo: activity.userInfo?.values ?? [:],
        targetContentIdentifier: activity.targetContentIdentifier,
        webpageURL: activity.webpageURL)
    }
    self.activities = Guarded(activities)
  }

  /// An activity as it is now.
  subscript(label: String) -> UserActivity {
    activities.withLock { $0[label] } ?? UserActivity("t", title: label)
  }

  /// Changes the runner's own activity; what others were given stays as it is.
  func mutate(_ label: String, userInfo: [String: UserInfoValue]) {
    activities.withLock { $0[label]?.userInfo = userInfo }
  }
}
