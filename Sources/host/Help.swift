import HostSystem
import JSONRPC
import ModuleCatalog
import ViperKit
import ViperRuntime

enum Help {
    /// Returns the program's help, with the routes of the root if there is one.
    static func overview(_ options: Options) throws(ViperError) -> String {
        let head = """
            host loads VIPER modules and opens their routes.

            USAGE
              host COMMAND [OPTIONS]

            COMMANDS
              run ROUTE [NAME=VALUE…]  opens a route and shows its screen
              serve                    serves routes to other programs, while modules come, change and go
              dev DIR ROUTE            builds a module at each save, and shows a route of it anew
              routes                   lists every route
              modules                  lists every module, its state, and why one is refused
              services                 lists every service, who provides and who requires it
              new NAME                 writes a module: sources, tests, manifest
              build DIR                compiles a module and puts it into the root
              inspect FILE.so          tells what is in a library, and runs nothing of it
              test MODULE|FILE.so      holds a built module against checks, each in a process of its own
              quarantine               lists the libraries that have crashed or hung, and lets one be tried again
              pack FILE.so MANIFEST    puts a manifest into a library, so that the one file is the whole module

            \(common)
              --version                shows the versions of host and ViperKit

            EXAMPLE
              host run list


            """
        do {
            let host = try options.makeHost()
            return head + "ROUTES\n"
                + RoutesCommand.text(of: RouteListing(of: host))
                .split(separator: "\n").map { "  \($0)\n" }.joined()
        } catch {
            guard error.code == .rootMissing, options.root == nil else { throw error }
            return head + "ROUTES\n  none: \(printable(error).summary)\n"
        }
    }

    static func text(for command: Command) -> String {
        switch command {
        case .run:
            """
            Opens a route, loading its module, and shows its screen.

            USAGE
              host run ROUTE [NAME=VALUE…] [OPTIONS]

            OPTIONS OF RUN, done on the screen in the order in which they stand
              --fill FIELD=TEXT        writes into a field
              --press ACTION           presses an action
              --select ROW             chooses a row
              -i, --interactive        then stays and does what is typed, or comes from a pipe, line by line
              --isolate MODULE         runs a module in a process of its own; may be repeated
              --via PATH               opens the route in the host that serves at the socket PATH, which has its own root and
                                       settings

            \(session)
            With --format json each screen is one line of JSON, and each line that is read is answered by one, but for those of a
            dialog. What is wrong with a line is said on standard error, and the session goes on. It ends with 0, with 130 after
            Ctrl-C, with 69 when the host of --via is lost, and with 70 when the process of its last module is.

            \(common)
              --data DIR               looks there for files before the module's resources; may be repeated
              --state DIR              keeps there what modules keep; else $XDG_STATE_HOME/viper-host
              --set MODULE.KEY=VALUE   sets a key of a module's configuration; may be repeated
              --use SERVICE=PROVIDER   chooses who provides a service; may be repeated

            EXAMPLE
              host run list --data ~/people --format json

            """
        case .serve:
            """
            Serves routes, and what routes, modules and services list, to other programs: JSON-RPC 2.0, one message or batch a
            line, on a socket that only this user and root can connect to. SIGTERM and SIGINT end it when what is being done is
            done; a second one ends it at once. If the end takes longer than two calls may take and a second, or two seconds
            after the client of --stdio has left, the host names what has not ended, and exits with 70.

            What is put into Manifests and Plugins, replaced or removed there is taken while it serves. A library that was never
            seen is loaded by another process first; one that crashes, hangs or ends that is quarantined. A newer one takes over
            when it has been loaded and is healthy, else the older one stays; open scenes finish on their own. SIGHUP looks at
            the root anew, and tries once more what was refused.

            USAGE
              host serve [OPTIONS]

            OPTIONS OF SERVE
              --socket PATH            serves there; else in $XDG_RUNTIME_DIR if only this user can change that, else in
                                       a folder of its own in $TMPDIR
              --stdio                  serves one client instead, on standard input and output, until the input ends
              --isolate MODULE         runs a module in a process of its own, as "isolation": "process" in its manifest does;
                                       may be repeated
              --as-is                  takes the root as it is: looks at it once, and tries no library in another process
              --owner UID              trusts files of this user, too, as a worker does for its host; may be repeated
              --limit NAME=VALUE       sets a limit; may be repeated

            LIMITS
              message                  the longest message that is read, in bytes; else \(Limits().message)
              connections              clients at once; else \(Limits().connections)
              scenes                   open scenes of a client; else \(Limits().scenes)
              calls                    calls of a client that are being done; else \(Limits().calls)
              pending                  bytes that a client may leave unread; else \(Limits().pending)
              time                     how long a call may take, in seconds; else 30

            METHODS
              ping, routes, modules, services, statistics
              open                     {"route":NAME,"parameters":{NAME:VALUE},"navigates":false}: opens a scene
              load                     {"scene":NUMBER}: begins the work of a scene whose client navigates
              send                     {"scene":NUMBER,"event":EVENT}, an event being {"press":ACTION}, {"select":ROW} or
                                       {"fill":FIELD,"text":TEXT}
              close                    {"scene":NUMBER}
              check                    {"module":NAME,"phase":"load"|"make"|"health"}: brings a module so far
              subscribe, unsubscribe   {"to":["registry","screens"]}: hears of changes by notifications

            A line may also be a batch, an array of calls. Its answers come in one array, when all calls have been answered.

            \(serving)

            EXAMPLE
              host serve --socket ~/host.sock

            """
        case .dev:
            """
            Builds a module's folder or package, shows a route of it, and does both again at each save. The module runs in a
            process of its own, unless it provides services: what crashes is shown, and mended at the next save. Ctrl-C ends it.

            USAGE
              host dev DIR ROUTE [NAME=VALUE…] [OPTIONS]

            OPTIONS OF DEV, done on the screen each time
              --fill FIELD=TEXT        writes into a field
              --press ACTION           presses an action
              --select ROW             chooses a row

            \(common)
              --data DIR               looks there for files before the module's resources; may be repeated
              --state DIR              keeps there what modules keep; else $XDG_STATE_HOME/viper-host
              --set MODULE.KEY=VALUE   sets a key of a module's configuration; may be repeated
              --use SERVICE=PROVIDER   chooses who provides a service; may be repeated

            EXAMPLE
              host dev todo-list todo-list

            """
        case .routes: listing("every registered route. Loads no module.", "host routes --format json")
        case .modules:
            listing("every module, its state, and why one is refused. Loads no module.", "host modules --root ~/site")
        case .services: listing("every service, who provides it and who requires it. Loads no module.", "host services")
        case .new:
            """
            Writes a module: sources for its roles, tests, manifest and resources. Overwrites nothing. In a checkout of this
            project it becomes one of the bundled modules, and its name a line of Package.swift.

            USAGE
              host new NAME [OPTIONS]

            OPTIONS
              --package DIR            makes a package of its own in DIR instead
              --list                   a list from a JSON file, with all roles; this is what is written otherwise too
              --form                   a form that checks and keeps what is typed, with all roles
              --service                a provider of a service, here of data, without screens
              --root DIR               works in the checkout DIR; else as every command finds its root; not with --package
              --trust-permissions      uses files that others could have changed, with a warning for each
              --help                   shows help

            EXAMPLE
              host new ShoppingList --package todo-list

            """
        case .build:
            """
            Compiles a module, packs its manifest in, and puts library and resources into the root. A folder is compiled
            against the ViperKit beside this host, a package against the one that its Package.swift names; a library that
            this host cannot load, in a process of its own, is refused. What was there stays whole when that fails, or is
            killed while it compiles.
            The library with its manifest appears last, by one rename; resources and a file in the root's Manifests are
            exchanged just before it.

            DIR is a package (then its manifest is the file in DIR/Manifests), or a folder with Swift sources (then it is
            DIR/*.json, else the file in the root's Manifests whose library is libNAME.so, with NAME the folder's). The
            manifest's resources are the folder of that name in DIR. C files in a folder are compiled by clang; Swift imports
            them by a module.modulemap beside them. A package that uses Bundle.module is refused.

            USAGE
              host build DIR [--root DIR] [--trust-permissions]

            The exit code is 65 when the compiler refuses the sources.

            EXAMPLE
              host build todo-list

            """
        case .inspect:
            """
            Tells what is in a library: its manifest, what it needs of ViperKit and which libraries, its build id, and which
            Swift has built it. Runs nothing of it.

            USAGE
              host inspect FILE.so [--format text|json]

            EXAMPLE
              host inspect libHello.so

            """
        case .test:
            """
            Holds a built module against checks, from outside, each in a process of its own with a time limit: a module that
            crashes or hangs fails the check, and not the host. It gets a state folder of its own, and no network.

            USAGE
              host test MODULE|FILE.so [NAME=VALUE…] [OPTIONS]

            Routes are opened with NAME=VALUE where they have such a parameter, else with values that are made up: 1, sample, true.
            A data provider that requires http-client is not held against the promises of data providers: it has no server here.

            CHECKS
            \(ModuleCheck.allCases.map { "  \($0.rawValue.padded(to: 25))\($0.promise)" }.joined(separator: "\n"))

            OPTIONS
              --check CHECK            runs this check only; may be repeated
              --time-limit SECONDS     how long each may take; else 60
              --root DIR               works in DIR; else $VIPER_ROOT, else the nearest folder with Manifests
              --trust-permissions      uses files that others could have changed, with a warning for each
              --set, --use, --data     as for run
              --format text|json       how the result is written
              --stdio                  runs no check: answers the questions of one on standard input and output, as the
                                       processes of checks do

            It ends with 0 when all checks pass, and with 1 when one does not. A module can behave differently under test.

            EXAMPLE
              host test people --check memory

            """
        case .quarantine:
            """
            Lists the libraries that are not loaded any more, because they have crashed, hung, ended the process or taken too
            much memory when they were tried. A library is known by its digest: one that is built anew is tried at once.

            USAGE
              host quarantine [show|retry DIGEST|MODULE] [OPTIONS]

            WORDS
              show DIGEST|MODULE       shows all that was seen: how it ended, where it was, what it wrote
              retry DIGEST|MODULE      lets it be tried again when it is next needed

            A digest may be shortened to digits that no other begins with.

            \(common)
              --state DIR              looks there; else $XDG_STATE_HOME/viper-host

            EXAMPLE
              host quarantine --format json

            """
        case .pack:
            """
            Puts a manifest into a library, with the toolchain's llvm-objcopy. Dropped into Plugins, that one file is the whole
            module. A manifest in Manifests takes precedence over it.

            USAGE
              host pack FILE.so MANIFEST.json

            EXAMPLE
              host pack libHello.so hello.json

            """
        }
    }

    static let session = """
        IN A SESSION
          NUMBER                   chooses the row, or presses the action, with that number
          ACTION                   presses an action by its id; press ACTION does so for any id
          select ROW               chooses a row by its id
          fill FIELD=TEXT          writes into a field
          fill [FIELD]             asks for the field, or for one after the other; an empty line leaves what is there;
                                   a password is not shown while it is typed
          back                     closes the screen
          home                     closes all but the first screen
          help                     shows this; an empty line shows the screen again
          quit                     leaves, as Ctrl-D and Ctrl-C do

        """

    private static func listing(_ what: String, _ example: String) -> String {
        """
        Lists \(what)

        USAGE
          \(example.split(separator: " ").prefix(2).joined(separator: " ")) [OPTIONS]

        \(common)
          --via PATH               asks the host that serves at the socket PATH

        EXAMPLE
          \(example)

        """
    }

    private static let serving = """
        OPTIONS
          --root DIR               works in DIR; else $VIPER_ROOT, else the nearest folder with Manifests
          --trust-permissions      uses files that others could have changed, with a warning for each
          --data, --state, --set, --use as for run
          --verbose                logs more to standard error
          --help                   shows help
        """

    private static let common = """
        OPTIONS
          --root DIR               works in DIR; else $VIPER_ROOT, else the nearest folder with Manifests
          --trust-permissions      uses files that others could have changed, with a warning for each
          --format text|json       how results are written
          --verbose                logs more to standard error
          --help                   shows help
        """
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count))
    }
}
