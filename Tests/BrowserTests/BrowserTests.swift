import Foundation
import TestSupport
import Testing

/// The pages of the module `web` in a real browser. They take minutes, so only `VIPER_BROWSER=1` runs them.
@Suite(
    .serialized, .hangLimit,
    .enabled(if: ProcessInfo.processInfo.environment["VIPER_BROWSER"] != nil, "VIPER_BROWSER is unset"),
    .needs(.chromium))
struct BrowserTests {}
