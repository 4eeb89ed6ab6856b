import Testing
import ViperKit
import ViperTesting

@testable import Launcher
