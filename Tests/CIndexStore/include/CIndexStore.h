// SPDX-License-Identifier: Apache-2.0
#ifndef CINDEXSTORE_H
#define CINDEXSTORE_H

/// Reads what compilers wrote into an index store about the files whose path begins with `root`.
///
/// Returns lines of fields between tabs, to be freed; the first field says what the others are:
///
/// - `unit`, path, time: a file, and when the compiler recorded it, in nanoseconds since 1970;
///   the lines up to the next unit are about it
/// - `definition`, line, kind, `implicit` or `written`, name, symbol, parent's symbol or `-`
/// - `use`, line, symbol
/// - `conformance`, protocol's or superclass's symbol, symbol of the type or of the extension
/// - `extension`, type's symbol, symbol of the extension
/// - `error`, a sentence
///
/// Paths begin behind `root`. Definitions and uses are those of files whose path begins with
/// `sources`; local symbols and accessors are left out. One thread calls at a time.
char *index_read(const char *store, const char *root, const char *sources);

#endif
