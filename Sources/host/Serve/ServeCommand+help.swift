import JSONRPC

extension ServeCommand {
    static var details: String {
        """
        Clients send JSON-RPC 2.0, one message or batch per line. A batch is an array of calls. Its answers come \
        in one array, after the last call. Only this user and root can connect to the socket.

        The host applies changes of Manifests and Plugins at once. It first loads a new library in another process. \
        If the library crashes, hangs or exits there, the host quarantines it. A new version of a module replaces \
        the old one when it is loaded and healthy. Open scenes keep their version. Modules whose manifests contain \
        "runs" work without being opened. On SIGHUP, the host reads the root again and retries refused modules.

        On SIGTERM or SIGINT, the host finishes running calls, then exits. A second signal ends it at once. If this \
        takes longer than a call may take plus six seconds, or than two seconds after the client of --stdio has \
        disconnected, the host reports what is still running, and exits with 70.

        LIMITS
          message                  Size of a message in bytes (default: \(Limits().message))
          connections              Clients (default: \(Limits().connections))
          scenes                   Open scenes per client (default: \(Limits().scenes))
          calls                    Running calls per client (default: \(Limits().calls))
          pending                  Bytes that a client may leave unread (default: \(Limits().pending))
          time                     Duration of a call in seconds (default: \(Int(Limits().time / .seconds(1))))

        METHODS
          ping, routes, modules, services, statistics, metrics
          why                      {"name":NAME}: explain a route, module, service, library or error code
          open                     {"route":NAME,"parameters":{NAME:VALUE}, "navigates":false}: open a scene
          load                     {"scene":NUMBER}: start the work of a scene whose client navigates
          event                    {"scene":NUMBER,"event":EVENT}: send an event, which is {"press":ACTION}, \
        {"select":ROW}, {"act":ACTION,"row":ROW} or {"fill":FIELD,"text":TEXT}
          close                    {"scene":NUMBER}: close a scene
          check                    {"module":NAME,"phase":"load"|"arguments"|"make"|"health"}: probe a module up to a phase
          install                  {"file":PATH}: install a library
          remove, enable, disable, reload
                                   {"module":NAME}: change an installed module
          rollback                 {"module":NAME,"version":VERSION}: use an earlier version again
          subscribe, unsubscribe   {"to":["registry","screens"]}: start or stop notifications of changes
        """
    }
}
