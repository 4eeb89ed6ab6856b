enum Command: String, CaseIterable {
    case run, serve, dev, routes, modules, services, quarantine, new, build, test, inspect, pack

    /// The required operands, as the help names them.
    var operands: [String] {
        switch self {
        case .run: ["ROUTE"]
        case .serve, .routes, .modules, .services, .quarantine: []
        case .dev: ["DIR", "ROUTE"]
        case .new: ["NAME"]
        case .build: ["DIR"]
        case .inspect: ["FILE.so"]
        case .pack: ["FILE.so", "MANIFEST.json"]
        case .test: ["MODULE|FILE.so"]
        }
    }

    var optionalOperands: Int { self == .quarantine ? 2 : 0 }

    var takesParameters: Bool { [.run, .test, .dev].contains(self) }

    /// The options of the command, in addition to ``Option/everywhere``.
    var options: Set<Option> {
        let common: Set<Option> = [.root, .trustPermissions, .format, .verbose]
        let settings: Set<Option> = [.data, .state, .set, .use]
        return switch self {
        case .run: common.union(settings).union([.fill, .press, .select, .interactive, .i, .via, .isolate])
        case .serve:
            settings.union([.root, .trustPermissions, .verbose, .socket, .stdio, .limit, .isolate, .asIs, .owner])
        case .dev: common.union(settings).union([.fill, .press, .select])
        case .routes, .modules, .services: common.union(settings).union([.via])
        case .new: [.root, .trustPermissions, .package, .list, .form, .service]
        case .build: [.root, .trustPermissions]
        case .inspect: [.format]
        case .pack: []
        case .quarantine: common.union([.state])
        case .test:
            [.root, .trustPermissions, .format, .set, .use, .data, .check, .timeLimit, .stdio]
        }
    }
}

enum Option: String, CaseIterable {
    case root = "--root"
    case trustPermissions = "--trust-permissions"
    case data = "--data"
    case state = "--state"
    case use = "--use"
    case set = "--set"
    case format = "--format"
    case fill = "--fill"
    case press = "--press"
    case select = "--select"
    case check = "--check"
    case timeLimit = "--time-limit"
    case via = "--via"
    case socket = "--socket"
    case stdio = "--stdio"
    case limit = "--limit"
    case isolate = "--isolate"
    case asIs = "--as-is"
    case owner = "--owner"
    case interactive = "--interactive"
    case i = "-i"
    case package = "--package"
    case list = "--list"
    case form = "--form"
    case service = "--service"
    case verbose = "--verbose"
    case help = "--help"
    case h = "-h"
    case version = "--version"

    /// The options that are valid with every command and without one.
    static let everywhere: Set<Option> = [.help, .h, .version]

    /// The options that configure a new host. They are invalid with `--via`, which selects a running host.
    static let ofHost: Set<Option> = [.root, .trustPermissions, .data, .state, .set, .use, .isolate, .verbose]

    var takesValue: Bool { placeholder != "" }

    var placeholder: String {
        switch self {
        case .root, .data, .state, .package: "DIR"
        case .use: "SERVICE=PROVIDER"
        case .set: "MODULE.KEY=VALUE"
        case .format: "text|json"
        case .fill: "FIELD=TEXT"
        case .press: "ACTION"
        case .select: "ROW"
        case .check: "CHECK"
        case .timeLimit: "SECONDS"
        case .via, .socket: "PATH"
        case .limit: "NAME=VALUE"
        case .isolate: "MODULE"
        case .owner: "UID"
        case .trustPermissions, .stdio, .asIs, .interactive, .i, .list, .form, .service, .verbose, .help, .h, .version:
            ""
        }
    }
}
