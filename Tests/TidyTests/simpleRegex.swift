// SPDX-License-Identifier: Apache-2.0

/// Makes a regular expression whose `\b` stands between a letter and a full stop too.
///
/// By the default rules, which are Unicode's, `Scene.State` is one word.
func simpleRegex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
  try Regex(pattern).wordBoundaryKind(.simple)
}
