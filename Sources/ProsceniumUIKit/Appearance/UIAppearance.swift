// SPDX-License-Identifier: Apache-2.0

/// What has a proxy that holds how all of its kind should look.
///
/// The proxies hold what they are given; nothing is drawn by it.
@MainActor
public protocol UIAppearance: AnyObject {}

/// The proxies, one of a type.
@MainActor
enum Proxies {
  private static var made: [ObjectIdentifier: any UIAppearance] = [:]

  /// The proxy of a type, made when it is first asked for.
  static func of<T: UIAppearance>(_ make: () -> T) -> T {
    if let proxy = made[ObjectIdentifier(T.self)] as? T { return proxy }
    let proxy = make()
    made[ObjectIdentifier(T.self)] = proxy
    return proxy
  }
}
