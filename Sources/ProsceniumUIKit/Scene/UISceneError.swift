// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Proscenium

/// The domain of the errors of requests.
public let UISceneErrorDomain = "UISceneErrorDomain"

/// Why a request failed (semantics#errors).
public struct UISceneError: Error, CustomNSError, Hashable, Sendable {
  /// The kind of an error, with UIKit's number.
  public enum Code: Int, Sendable, Hashable {
    /// The program does not support several scenes.
    case multipleScenesNotSupported = 0
    /// The system refuses the request.
    case requestDenied = 1
    /// The scene has no geometry.
    case geometryRequestUnsupported = 100
    /// The geometry is not changed.
    case geometryRequestDenied = 101
  }

  /// The kind of the error.
  public let code: Code

  /// What was expected and what was found, for people.
  public let localizedDescription: String

  /// Makes an error.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.code = code
    localizedDescription = userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)"
  }

  /// Makes the error that a program sees of one of the runtime's: all that it refuses has the
  /// number 1.
  init(_ error: SceneError) {
    code = error.code.uiKitCode.flatMap(Code.init) ?? .requestDenied
    localizedDescription = error.message
  }

  /// The domain.
  public static var errorDomain: String { UISceneErrorDomain }

  /// The number.
  public var errorCode: Int { code.rawValue }

  /// The sentence, under the key of a description; nothing else is kept.
  public var userInfo: [String: Any] { errorUserInfo }

  /// The sentence, under the key of a description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }

  /// The program does not support several scenes.
  public static var multipleScenesNotSupported: Code { .multipleScenesNotSupported }

  /// The system refuses the request.
  public static var requestDenied: Code { .requestDenied }

  /// The scene has no geometry.
  public static var geometryRequestUnsupported: Code { .geometryRequestUnsupported }

  /// The geometry is not changed.
  public static var geometryRequestDenied: Code { .geometryRequestDenied }
}
