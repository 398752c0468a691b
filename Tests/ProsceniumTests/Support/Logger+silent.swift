// SPDX-License-Identifier: Apache-2.0

import Logging

extension Logger {
  static var silent: Logger {
    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  }
}
