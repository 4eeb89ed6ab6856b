@testable import Web
