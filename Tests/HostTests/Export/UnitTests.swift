import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// A host in the surroundings of the unit for systemd: its user owns nothing, and the root is read-only for it.
@Suite(.fewAtOnce, .hangLimit, .needs(.strangers), .needs(.namespaces))
struct UnitTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }

    init() throws { fixture = try InstallFixture() }

    /// Runs a script in a system of its own, in which `serve` is the service, and `service` runs a program as its user.
    private func run(_ script: String) async throws -> ChildResult {
        let unit = """
            set -u
            host=$1 root=$2 scratch=$3 user=$4
            mount -t tmpfs -o mode=755 tmpfs /run
            mount -t proc proc /proc
            private=$scratch/lib/private
            mkdir -p $private/viper-host /run/viper-host && chown $user:$user $private/viper-host /run/viper-host
            chmod 700 $private $private/viper-host /run/viper-host && ln -s private/viper-host $scratch/lib/viper-host
            state=$scratch/lib/viper-host socket=/run/viper-host/host.sock
            mkdir $scratch/open && chown $user $scratch/open && chmod 755 $scratch
            export TMPDIR=$scratch/open
            # Only the service can enter the folder of private states.
            service() {
                RUNTIME_DIRECTORY=/run/viper-host unshare --mount sh -c 'mount --bind $1 $1; mount -o remount,bind,ro $1
                    mkdir -p $2/../own; mount --bind $2/viper-host $2/../own; mount -t tmpfs -o mode=755 tmpfs $2
                    mkdir $2/viper-host; mount --bind $2/../own $2/viper-host; user=$3; shift 3
                    exec setpriv --reuid=$user --regid=$user --clear-groups "$@"' sh $root $private $user env \\
                    HOME=/nonexistent XDG_CACHE_HOME=$scratch/open $host "$@" --root $root --state $state
            }
            # A folder of root's own, as for a command of an operator.
            host() { env TMPDIR=/run HOME=/run $host "$@" --root $root; }
            serve() {
                service serve --socket $socket 2> $scratch/log & served=$!
                until grep -q 'serving on' $scratch/log; do kill -0 $served || { cat $scratch/log; exit 9; }; sleep 0.05; done
            }
            for crash in 1 2 3; do printf 'go\\nquit\\n' | service run -i version > /dev/null 2>&1; echo crash $?; done

            """
        var child = ChildProcess(
            "unshare",
            ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", unit + script, "sh", Products.host, root.path]
                + [root.folder.path, "\(Stranger.user)"])
        child.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        return try await child.run()
    }

    private func install() async throws {
        for library in [try await fixture.packed("1"), try await fixture.packed("2", event: "abort()")] {
            #expect(try await fixture.host("install", library, "--yes").ending == .code(0))
        }
    }

    @Test("The service cannot fall back in its read-only root, says so, and root rolls back with its quarantine")
    func fallback() async throws {
        try await install()
        let result = try await run(
            """
            serve; cat $scratch/log
            host rollback version --yes; echo first $?
            until setpriv --reuid=$user --regid=$user --clear-groups $host run version --via $socket 2> /dev/null | grep 1; do sleep 0.05; done
            host rollback version --yes; echo second $?
            host quarantine
            kill -KILL $(cat /run/viper-host/*.json | sed 's/.*"process":\\([0-9]*\\).*/\\1/'); wait $served
            host quarantine; echo third $?
            """)
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0 == "crash 134" }.count == 3, "\(result)")
        let log = try #require(lines.first { $0.contains("no earlier version is used again") }, "\(result)")
        #expect(log.contains("Permission denied; as a user who can, run host rollback version"), "\(log)")
        #expect(lines.contains("version 2.0.0 -> 1.0.0") && lines.contains("first 0"), "\(result)")
        #expect(lines.contains("second 66") && result.errors.contains("all earlier versions are quarantined"))
        #expect(lines.count { $0.contains(/version +libVersion\.so +host/) } == 1, "\(result)")
        #expect(lines.last == "third 0" && !result.errors.contains("warning"), "\(result)")
    }

    @Test(
        "Root does not use a record whose process does not hold the socket, and another user says that it cannot read it"
    )
    func forged() async throws {
        try await install()
        let result = try await run(
            """
            serve
            mkdir $scratch/victim; chown \(Stranger.victim) $scratch/victim
            record=$(echo /run/viper-host/*.json)
            sed -i 's|host.sock|other.sock|' $record
            host quarantine; echo forged $?
            setpriv --reuid=\(Stranger.victim) --regid=\(Stranger.victim) --clear-groups env TMPDIR=$scratch/victim \\
                HOME=/nonexistent $host quarantine --root $root --state $scratch/none; echo other $?
            """)
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("forged 0") && lines.contains("other 0"), "\(result)")
        #expect(!result.text.contains("libVersion"), "\(result)")
        #expect(result.errors.contains("of user \(Stranger.user) does not hold the socket /run/viper-host/other.sock"))
        #expect(
            result.errors.contains("which may serve this root: /run/viper-host: user 54321, who is not trusted"),
            "\(result)")
    }
}
