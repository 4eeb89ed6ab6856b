import Foundation
import HostDriver

/// A scenario in which a module crashes until it is quarantined, while the disk that stores the host's state is full.
enum Disk: Scenario {
    static let name = "disk"

    static func run(isShort: Bool) async throws -> String {
        // Mount a file system of 64 KiB at the state folder, and fill it.
        let shell = """
            mkdir -p "$STATE" && mount -t tmpfs -o size=64k,mode=700 tmpfs "$STATE" \
            && ! dd if=/dev/zero of="$STATE/filler" bs=1k 2> /dev/null
            """
        let served = try await Served(isolated: true, shell: shell, namespaces: "-rm")
        let state = "/proc/\(served.host.process)/root\(Served.state(of: served.root))"
        let crashes = try await onOwnThread { try crashUntilQuarantined(served) }
        let isTold = await eventually { served.host.log.contains("is quarantined until this host exits") }
        try expect(isTold, "the host did not log the failed write: \(served.host.log)")
        try await served.expectAlive()
        // A rescan must not end the quarantine.
        served.host.send(SIGHUP)
        try await onOwnThread {
            let client = try Client(served.socket)
            let answer = try client.ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
            try expect(
                answer.error?.data?.code == "library-quarantined", "the quarantined library was loaded again: \(answer)"
            )
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: state).filter { $0 != "filler" }
        let written = try files.filter { try isFile("\(state)/\($0)") }
        try expect(written.isEmpty, "incomplete files: \(written)")
        return "\(crashes) crashes; no complete or partial report written; "
            + "the host logged it, kept the quarantine in memory, and continued"
    }

    private static func crashUntilQuarantined(_ served: Served) throws -> Int {
        let client = try Client(served.socket)
        for crashes in 0...10 {
            let answer = try client.ask("open", #"{"route":"\#(VersionedModule.route)"}"#)
            if let error = answer.error {
                try expect(error.data?.code == "library-quarantined", "open failed: \(error.message)")
                return crashes
            }
            guard let scene = answer.result?.scene else { break }
            let crash = try client.ask("event", #"{"scene":\#(scene),"event":{"press":"crash"}}"#)
            try expect(crash.error?.message.contains("signal 11") == true, "the crash was reported as: \(crash)")
        }
        throw Failure("the module was not quarantined after ten crashes")
    }

    private static func isFile(_ path: String) throws -> Bool {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular
    }
}
