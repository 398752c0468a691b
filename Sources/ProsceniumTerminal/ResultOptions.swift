// SPDX-License-Identifier: Apache-2.0

#if Complete
  package import ArgumentParser
  package import ProsceniumJSON

  /// The flags that say where results are written.
  package struct ResultOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Also write the results to a CSV file; an existing one is continued.", valueName: "file"))
    package var csv: String?

    @Option(
      help: ArgumentHelp(
        "Also draw the results as a page; one that is there is replaced.", valueName: "file"))
    package var report: String?

    package init() {}

    /// Opens the files, as ``ResultFiles`` does.
    package func files(of program: String) throws(FileError) -> ResultFiles {
      try ResultFiles(of: program, csv: csv, report: report)
    }
  }
#endif
