/// The address of a page: `/ROUTE?NAME=VALUE&_w=WINDOW.SCENE`.
///
/// The window and the scene are missing in an address that a person has typed or stored without them. No route has a
/// parameter whose name begins with an underscore.
struct PageAddress: Equatable {
    /// The route, with its parameters as in a URI. Empty for the start route.
    var route: String
    /// The number of the window. Nil if the address has none.
    var window: Int?
    /// The number of the scene in the window.
    var scene = 0

    private static let mark = "_w="
    /// The maximum length of an address with parameters. Browsers and proxies accept at least this length.
    private static let limit = 2_000

    /// Parses the path and query of a request. Returns nil if no route can have the path.
    init?(target: String) {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.first == UInt8(ascii: "/") else { return nil }
        let name = path.dropFirst()
        guard name.allSatisfy(Self.isRouteByte), name.last != UInt8(ascii: "/"), !name.starts(with: "/".utf8),
            let text = String(name), !text.contains("//")
        else { return nil }
        route = text
        let query = target.utf8.dropFirst(path.count + 1)
        var parameters: [String] = []
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) where !query.isEmpty {
            guard let part = String(part) else { return nil }
            // Other names that begin with an underscore are marks of this server, too.
            guard part.hasPrefix("_") else {
                parameters.append(part)
                continue
            }
            if !part.hasPrefix(Self.mark) { continue }
            let numbers = part.dropFirst(Self.mark.count).split(separator: ".").map { Int($0) }
            if numbers.count == 2, let number = numbers[0], let last = numbers[1] { (window, scene) = (number, last) }
        }
        if !parameters.isEmpty { route += "?" + parameters.joined(separator: "&") }
    }

    private static func isRouteByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "/"):
            true
        default: false
        }
    }

    /// Creates the address of a scene. Leaves out parameters that are too long for an address.
    ///
    /// - Parameter route: The scene's route with its parameters.
    init(_ route: String, window: Int, scene: Int) {
        let isShort = route.utf8.count <= Self.limit
        self.route = isShort ? route : String(route.prefix { $0 != "?" })
        (self.window, self.scene) = (window, scene)
    }

    /// The path and query of the page.
    var text: String {
        guard let window else { return "/" + route }
        return "/\(route)\(route.contains("?") ? "&" : "?")\(Self.mark)\(window).\(scene)"
    }
}
