// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumUIKit

/// The classes of scene delegates that the vectors name: UIKit knows them as classes.
@MainActor
enum VectorSceneDelegates {
  final class AlphaDelegate: VectorSceneDelegate {}
  final class BetaDelegate: VectorSceneDelegate {}
  final class DefaultDelegate: VectorSceneDelegate {}
  final class InspectorDelegate: VectorSceneDelegate {}
  final class LinkDelegate: VectorSceneDelegate {}
  final class MainDelegate: VectorSceneDelegate {}
  /// One that no program has.
  final class NoDelegate: VectorSceneDelegate {}
  final class OldDelegate: VectorSceneDelegate {}
  final class OtherDelegate: VectorSceneDelegate {}
  final class ScreenDelegate: VectorSceneDelegate {}
  final class TalkDelegate: VectorSceneDelegate {}
  final class V1Delegate: VectorSceneDelegate {}
  final class V2Delegate: VectorSceneDelegate {}

  private static let all: [VectorSceneDelegate.Type] = [
    AlphaDelegate.self, BetaDelegate.self, DefaultDelegate.self, InspectorDelegate.self,
    LinkDelegate.self, MainDelegate.self, NoDelegate.self, OldDelegate.self, OtherDelegate.self,
    ScreenDelegate.self, TalkDelegate.self, V1Delegate.self, V2Delegate.self,
  ]

  static func named(_ name: String) -> VectorSceneDelegate.Type? {
    all.first { "\($0)" == name }
  }
}
