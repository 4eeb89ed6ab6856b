enum Command: String, CaseIterable {
    case run, serve, dev, routes, modules, services, quarantine, new, build, test, inspect, pack

    /// The names of the required operands.
    var operands: [String] { entry.operands }
    /// The command's description in the overview.
    var summary: String { entry.summary }
    /// The arguments for an example command line.
    var example: String { entry.example }
    var optionalOperands: [String] { self == .quarantine ? ["show|retry", "DIGEST|MODULE"] : [] }
    var takesParameters: Bool { [.run, .test, .dev].contains(self) }
    var options: [Option] { Option.all.filter { $0.commands.contains(self) } }

    private var entry: (operands: [String], summary: String, example: String) {
        switch self {
        case .run: (["ROUTE"], "Open a route and show its screen", "run list --data ~/people --format json")
        case .serve: ([], "Serve routes to other programs", "serve --socket ~/host.sock")
        case .dev: (["DIR", "ROUTE"], "Build a module after each save and show a route", "dev todo-list todo-list")
        case .routes: ([], "List all routes", "routes --format json")
        case .modules: ([], "List all modules, their state, and the reason for each refusal", "modules --root ~/site")
        case .services: ([], "List all services and the modules that provide or require them", "services")
        case .quarantine: ([], "List libraries that crashed or hung, or allow a retry", "quarantine --format json")
        case .new: (["NAME"], "Create a module: sources, tests, manifest", "new ShoppingList --package todo-list")
        case .build: (["DIR"], "Compile a module and install it into the root", "build todo-list")
        case .test: (["MODULE|FILE.so"], "Run checks on a built module", "test people --check memory")
        case .inspect: (["FILE.so"], "Show what is in a library, without running it", "inspect libHello.so")
        case .pack: (["FILE.so", "MANIFEST.json"], "Pack a manifest into a library", "pack libHello.so hello.json")
        }
    }
}
