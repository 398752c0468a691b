// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Writes each callback of the application down and passes it on to the program's delegate.
class RecordingApplicationDelegate: ApplicationDelegate {
  private let delegate: any ApplicationDelegate
  fileprivate let recorder: TimelineRecorder

  private init(_ delegate: any ApplicationDelegate, _ recorder: TimelineRecorder) {
    self.delegate = delegate
    self.recorder = recorder
  }

  /// Puts a recording delegate before the program's; it chooses configurations if that one does.
  static func front(
    of delegate: any ApplicationDelegate, _ recorder: TimelineRecorder
  ) -> any ApplicationDelegate {
    guard let chooser = delegate as? any ConfiguringApplicationDelegate else {
      return RecordingApplicationDelegate(delegate, recorder)
    }
    return Choosing(chooser, recorder)
  }

  private func note(_ callback: String) {
    recorder.record("app.\(callback)", as: .callbacks)
  }

  func applicationWillFinishLaunching(_ application: isolated Application) {
    note("willFinishLaunching")
    delegate.applicationWillFinishLaunching(application)
  }

  func applicationDidFinishLaunching(_ application: isolated Application) {
    note("didFinishLaunching")
    delegate.applicationDidFinishLaunching(application)
  }

  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    let labels = sessions.map(\.persistentIdentifier).sorted().map(\.label)
    note("didDiscardSceneSessions{\(labels.joined(separator: ", "))}")
    delegate.application(application, didDiscardSceneSessions: sessions)
  }

  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    let label = recorder.label(of: scene.persistentIdentifier)
    note("didReceiveNotification(\(TimelineText.atom(response.identifier)), \(label))")
    delegate.application(application, didReceive: response, targetScene: scene)
  }

  func applicationWillTerminate(_ application: isolated Application) {
    note("willTerminate")
    delegate.applicationWillTerminate(application)
  }

  /// One that chooses configurations as well.
  private final class Choosing: RecordingApplicationDelegate, ConfiguringApplicationDelegate {
    private let chooser: any ConfiguringApplicationDelegate

    init(_ chooser: any ConfiguringApplicationDelegate, _ recorder: TimelineRecorder) {
      self.chooser = chooser
      super.init(chooser, recorder)
    }

    func application(
      _ application: isolated Application, configurationForConnecting session: SceneSession,
      options: Scene.ConnectionOptions
    ) -> SceneConfiguration {
      let label = session.persistentIdentifier.label
      note("configurationForConnecting(\(label), \(TimelineText.options(options)))")
      return chooser.application(
        application, configurationForConnecting: session, options: options)
    }
  }
}

extension TimelineRecorder {
  /// The way to make an application delegate whose callbacks are recorded, if they are wanted.
  func recording(
    _ makeDelegate: (@Sendable () -> any ApplicationDelegate)?
  ) -> (@Sendable () -> any ApplicationDelegate)? {
    guard contents.contains(.callbacks), let makeDelegate else { return makeDelegate }
    return { RecordingApplicationDelegate.front(of: makeDelegate(), self) }
  }
}
