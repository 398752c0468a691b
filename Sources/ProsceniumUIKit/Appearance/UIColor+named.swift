// SPDX-License-Identifier: Apache-2.0

extension UIColor {
  /// Black.
  public static let black = UIColor(white: 0, alpha: 1)
  /// A dark grey.
  public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
  /// A light grey.
  public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
  /// White.
  public static let white = UIColor(white: 1, alpha: 1)
  /// The grey in the middle.
  public static let gray = UIColor(white: 0.5, alpha: 1)
  /// Full red.
  public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
  /// Full green.
  public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
  /// Full blue.
  public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
  /// Red and green.
  public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
  /// Orange.
  public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
  /// Purple.
  public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  /// Brown.
  public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
  /// No colour at all.
  public static let clear = UIColor(white: 0, alpha: 0)
  /// The system's red.
  public static let systemRed = UIColor(system: "systemRed")
  /// The system's green.
  public static let systemGreen = UIColor(system: "systemGreen")
  /// The system's blue.
  public static let systemBlue = UIColor(system: "systemBlue")
  /// The system's orange.
  public static let systemOrange = UIColor(system: "systemOrange")
  /// The system's yellow.
  public static let systemYellow = UIColor(system: "systemYellow")
  /// The system's pink.
  public static let systemPink = UIColor(system: "systemPink")
  /// The system's purple.
  public static let systemPurple = UIColor(system: "systemPurple")
  /// The system's teal.
  public static let systemTeal = UIColor(system: "systemTeal")
  /// The system's indigo.
  public static let systemIndigo = UIColor(system: "systemIndigo")
  /// The system's grey.
  public static let systemGray = UIColor(system: "systemGray")
  /// The system's grey of step 2.
  public static let systemGray2 = UIColor(system: "systemGray2")
  /// The system's grey of step 3.
  public static let systemGray3 = UIColor(system: "systemGray3")
  /// The system's grey of step 4.
  public static let systemGray4 = UIColor(system: "systemGray4")
  /// The system's grey of step 5.
  public static let systemGray5 = UIColor(system: "systemGray5")
  /// The system's grey of step 6.
  public static let systemGray6 = UIColor(system: "systemGray6")
  /// The background of a view.
  public static let systemBackground = UIColor(system: "systemBackground")
  /// The background of a group in a view.
  public static let secondarySystemBackground = UIColor(system: "secondarySystemBackground")
  /// The background of a grouped view.
  public static let systemGroupedBackground = UIColor(system: "systemGroupedBackground")
  /// The colour of text.
  public static let label = UIColor(system: "label")
  /// The colour of less important text.
  public static let secondaryLabel = UIColor(system: "secondaryLabel")
  /// The colour of a thin line.
  public static let separator = UIColor(system: "separator")
  /// The colour of what can be tapped.
  public static let tintColor = UIColor(system: "tintColor")
}
