import JSONRPC
import ViperRuntime

/// The parts of the help that are not generated from a table. ``wrapped(_:)`` breaks their lines.
extension Help {
    static func details(of command: Command) -> String {
        switch command {
        case .run:
            """
            --fill, --press and --select act on the screen in the given order.

            -i starts a session. It reads commands from the terminal or a pipe, and continues after an invalid line. \
            With --format json, each screen is one line of JSON, and each line of input is answered by one line, \
            except in a dialog. The exit code of a session is 0, 130 after Ctrl-C, 69 if the host of --via is lost, \
            or 70 if the process of its last module is lost.

            \(SessionCommand.helpText)
            """
        case .serve:
            """
            Clients send JSON-RPC 2.0, one message or batch per line. A batch is an array of calls. Its answers come \
            in one array, after the last call. Only this user and root can connect to the socket.

            The host applies changes of Manifests and Plugins at once. It first loads a new library in another process. \
            If the library crashes, hangs or exits there, the host quarantines it. A new version of a module replaces \
            the old one when it is loaded and healthy. Open scenes keep their version. On SIGHUP, the host reads the \
            root again and retries refused modules.

            On SIGTERM or SIGINT, the host finishes running calls, then exits. A second signal ends it at once. If this \
            takes longer than two calls may take plus one second, or than two seconds after the client of --stdio has \
            disconnected, the host reports what is still running, and exits with 70.

            LIMITS
              message                  Size of a message in bytes (default: \(Limits().message))
              connections              Clients (default: \(Limits().connections))
              scenes                   Open scenes per client (default: \(Limits().scenes))
              calls                    Running calls per client (default: \(Limits().calls))
              pending                  Bytes that a client may leave unread (default: \(Limits().pending))
              time                     Duration of a call in seconds (default: \(Int(Limits().time / .seconds(1))))

            METHODS
              ping, routes, modules, services, statistics
              open                     {"route":NAME,"parameters":{NAME:VALUE}, "navigates":false}: open a scene
              load                     {"scene":NUMBER}: start the work of a scene whose client navigates
              event                    {"scene":NUMBER,"event":EVENT}: send an event, which is {"press":ACTION}, \
            {"select":ROW} or {"fill":FIELD,"text":TEXT}
              close                    {"scene":NUMBER}: close a scene
              check                    {"module":NAME,"phase":"load"|"make"|"health"}: probe a module up to a phase
              subscribe, unsubscribe   {"to":["registry","screens"]}: start or stop notifications of changes
            """
        case .dev:
            """
            DIR is a package or folder as for host build. The module runs in its own process, unless it provides \
            services. If it crashes there, the host shows the error and waits for the next save. --fill, --press and \
            --select act on the screen after each build, in the given order. Ctrl-C ends the command.
            """
        case .routes, .services: "The command loads no module."
        case .modules: "The command loads no module. With --via, it also shows statistics of the modules."
        case .new:
            """
            The command overwrites nothing. In a checkout of this project, the module becomes a bundled module, and its \
            name is added to Package.swift. --package makes a package of its own instead, and excludes --root.
            """
        case .build:
            """
            DIR is a package, or a folder with Swift sources. A package is compiled against the ViperKit that its \
            Package.swift names, and may not use Bundle.module. A folder is compiled against the ViperKit beside this \
            host. clang compiles its C files, which Swift imports through a module.modulemap beside them.

            The manifest of a package is the file in DIR/Manifests. The manifest of a folder is DIR/*.json, or the file \
            in the root's Manifests whose library is libNAME.so, where NAME is the folder's name. The "resources" of the \
            manifest are a folder in DIR.

            The manifest is packed into the library. Another process tries to load the library, and compares the \
            types of its route parameters with the manifest, before anything is installed. Resources, and a file in \
            the root's Manifests, are replaced just before the library. If a step fails, or the host is killed while \
            it compiles, the installed module does not change. If the sources do \
            not compile, the exit code is 65.
            """
        case .test:
            """
            Each check has its own process. If the module crashes there or exceeds the time limit, the check fails. The \
            module gets a temporary state folder and no network. NAME=VALUE is used for each route with that parameter; \
            other required parameters get allowed values, such as 1, sample and true. A module that can use http-client is \
            not checked as a data provider, because checks have no network.

            If all checks pass, the exit code is 0, otherwise 1. A module can behave differently under test.

            CHECKS
            \(ModuleCheck.allCases.map { row($0.rawValue, $0.promise) }.joined().dropLast())
            """
        case .quarantine:
            """
            A library is quarantined if it crashed, hung, exited or used too much memory when the host tried it. It is \
            identified by its digest, so a new build is not affected. A digest may be shortened to a unique prefix.

            ARGUMENTS
              show DIGEST|MODULE       Show when and how the library failed, and what it printed
              retry DIGEST|MODULE      Allow the library to be loaded again
            """
        case .inspect:
            """
            The command shows the manifest, the declarations of ViperKit and the libraries that the library needs, its \
            build ID, and the version of Swift that compiled it.
            """
        case .pack:
            """
            The library is then a complete module: copy it to Plugins. A manifest in Manifests takes precedence over the \
            packed one. The command requires llvm-objcopy, which is part of the Swift toolchain.
            """
        }
    }
}
