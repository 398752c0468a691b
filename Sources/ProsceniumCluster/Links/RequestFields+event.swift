// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium

  extension RequestFields {
    /// Adds an event that is routed.
    mutating func add(_ routed: RoutedEvent) {
      self["source"] = routed.source?.description
      self["group"] = routed.group?.rawValue
      self["scope"] = String(routed.scope.rawValue)
      switch routed.event {
      case .url(let context):
        self["url"] = context.url
        self["from"] = context.options.sourceApplication
        self["inPlace"] = context.options.openInPlace ? "" : nil
        info = context.options.annotation.map { ["annotation": $0] } ?? [:]
      case .activity(let activity):
        self["continue"] = ""
        state.activity = activity
      case .shortcut(let item):
        self["shortcut"] = item.type
        self["title"] = item.localizedTitle
        self["content"] = item.targetContentIdentifier
        info = item.userInfo
      case .notification(let response):
        self["notification"] = response.identifier
        self["action"] = response.actionIdentifier
        self["content"] = response.targetContentIdentifier
        info = response.userInfo
      case .share(let share):
        self["share"] = share.identifier
        info = share.userInfo
      case .handoff(let type, let identifier):
        self["handoff"] = type
        self["content"] = identifier
      }
    }

    /// The event that is routed, if there is one.
    var routedEvent: RoutedEvent? {
      guard let event = sceneEvent,
        let scope = self["scope"].flatMap({ UInt8($0) }).flatMap(RoutingScope.init)
      else { return nil }
      return RoutedEvent(
        event, source: self["source"].flatMap { SessionIdentifier($0) },
        group: self["group"].map(SceneGroup.init(rawValue:)), scope: scope)
    }

    /// Values of any kind by name: only an activity can have them.
    private var info: [String: UserInfoValue] {
      get { state.activity?.userInfo ?? [:] }
      set { state.activity = newValue.isEmpty ? nil : UserActivity("info", userInfo: newValue) }
    }

    private var sceneEvent: SceneEvent? {
      if let url = self["url"] {
        return .url(
          OpenURLContext(
            url,
            options: OpenURLOptions(
              sourceApplication: self["from"], annotation: info["annotation"],
              openInPlace: self["inPlace"] != nil)))
      }
      if self["continue"] != nil { return state.activity.map { .activity($0) } }
      if let type = self["shortcut"] {
        return .shortcut(
          ShortcutItem(
            type, localizedTitle: self["title"] ?? "", targetContentIdentifier: self["content"],
            userInfo: info))
      }
      if let identifier = self["notification"], let action = self["action"] {
        var response = NotificationResponse(
          identifier, actionIdentifier: action, userInfo: info)
        response.targetContentIdentifier = self["content"]
        return .notification(response)
      }
      if let share = self["share"] { return .share(ShareMetadata(share, userInfo: info)) }
      return self["handoff"].map {
        .handoff(activityType: $0, targetContentIdentifier: self["content"])
      }
    }
  }
#endif
