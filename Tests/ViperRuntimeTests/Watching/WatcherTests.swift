import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ViperRuntime

@Suite(.fewAtOnce, .hangLimit)
struct WatcherTests {
    @Test(
        "A file that is added, changed or removed in any way is reported",
        arguments: [
            ("cp new Plugins/libA.so", "Plugins/libA.so"),
            ("cp new Plugins/libOld.so", "Plugins/libOld.so"),
            ("mv new Plugins/libA.so", "Plugins/libA.so"),
            ("mv new Plugins/libOld.so", "Plugins/libOld.so"),
            ("mv Plugins/libOld.so Plugins/libA.so", "Plugins/libA.so"),
            ("mv Plugins/libOld.so Plugins/libA.so", "Plugins/libOld.so"),
            ("mv Plugins/libOld.so elsewhere", "Plugins/libOld.so"),
            ("rm Plugins/libOld.so", "Plugins/libOld.so"),
            ("ln new Plugins/libA.so", "Plugins/libA.so"),
            ("ln -s ../new Plugins/libA.so", "Plugins/libA.so"),
            ("ln -sf ../new Plugins/libOld.so", "Plugins/libOld.so"),
            ("chmod 400 Plugins/libOld.so", "Plugins/libOld.so"),
            ("sed -i s/old/new/ Manifests/old.json", "Manifests/old.json"),
            ("echo more >> Manifests/old.json", "Manifests/old.json"),
            (": > Manifests/old.json", "Manifests/old.json"),
            ("cp new Manifests/x.tmp; mv Manifests/x.tmp Manifests/x.json", "Manifests/x.json"),
            ("mkdir Plugins/Resources", "Plugins/Resources"),
            ("cp new 'Plugins/lib\u{1B}[2J\nü.so'", "Plugins/lib\u{1B}[2J\nü.so"),
            ("cp new Plugins/$(printf %0252d 0).so", "Plugins/\(String(repeating: "0", count: 252)).so"),
        ])
    func reported(script: String, path: String) async throws {
        let root = try await WatchedRoot("echo new > new; echo old > Plugins/libOld.so; echo old > Manifests/old.json")
        try await root.run(script)
        #expect(await root.hears(path))
        try await root.catchUp()
        #expect(root.log.all == [])
    }

    @Test("A file that is written without a name is reported when it gets one")
    func nameless() async throws {
        let root = try await WatchedRoot()
        let folder = root.scratch.path + "/Plugins"
        // O_TMPFILE and AT_SYMLINK_FOLLOW, which Swift does not import.
        let file = open(folder, O_WRONLY | 0x41_0000 | O_CLOEXEC, 0o600)
        try #require(file >= 0 && write(file, "new", 3) == 3)
        #expect(linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, folder + "/libA.so", 0x400) == 0)
        #expect(await root.hears("Plugins/libA.so"))
        close(file)
    }

    @Test("Existing files, temporary names and files in subfolders are not reported")
    func unreported() async throws {
        let root = try await WatchedRoot("echo 1 > Manifests/a.json; echo 1 > Plugins/libA.so")
        try await root.run(
            "for name in .a.json a.json~ .a.json.swp a.swp a.tmp; do echo 1 > Manifests/$name; rm Manifests/$name; done"
        )
        try await root.run("mkdir -p Plugins/Resources")
        #expect(await root.hears("Plugins/Resources"))
        try await root.run("echo 1 > Plugins/Resources/people.json; echo 1 > beside; rm beside")
        try await root.catchUp()
        let heard = root.reports.reduce(Set()) { $0.union($1) }
        #expect(heard.filter { !$0.contains("fence") } == ["Plugins/Resources"])
    }

    @Test("A new file is reported when its writer closes it, and not before")
    func writing() async throws {
        let root = try await WatchedRoot()
        let path = root.scratch.path + "/Plugins/"
        let files = ["libA.so", "libOld.so"].map { open(path + $0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
        try #require(files.allSatisfy { $0 >= 0 })
        try await root.catchUp()
        for file in files { #expect(write(file, "half", 4) == 4) }
        try await root.catchUp()
        #expect(root.count("Plugins/libA.so") == 0)
        files.forEach { close($0) }
        #expect(await root.hears("Plugins/libA.so"))
        #expect(await root.hears("Plugins/libOld.so"))
    }

    @Test("A removed file is reported if its name reappears and nothing is written")
    func replacedByNothing() async throws {
        let root = try await WatchedRoot("for name in pipe lock; do echo 1 > Manifests/$name.json; done")
        try await root.run("cd Manifests; rm pipe.json lock.json; mkfifo pipe.json")
        // Some programs create a file only to lock it.
        let file = open(root.scratch.path + "/Manifests/lock.json", O_RDONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        #expect(await root.hears("Manifests/pipe.json"))
        #expect(await root.hears("Manifests/lock.json"))
        close(file)
    }

    @Test("A file that an editor moves away and brings back is reported")
    func editors() async throws {
        let root = try await WatchedRoot("for name in vim back; do echo 1 > Manifests/$name.json; done")
        try await root.run("mv Manifests/back.json Manifests/back.json~; mv Manifests/back.json~ Manifests/back.json")
        try await root.run(
            """
            cd Manifests; echo > 4913; rm 4913; mv vim.json vim.json~; echo 2 > vim.json; rm vim.json~
            """)
        try await root.catchUp()
        #expect(await root.hears("Manifests/back.json"))
        #expect(await root.hears("Manifests/vim.json"))
    }

    @Test("A thousand files that are added at once are reported in fewer than ten reports")
    func burst() async throws {
        let root = try await WatchedRoot(isHeard: false)
        root.watcher.queue.suspend()
        try await root.run("cd Plugins; for i in $(seq 1000); do echo $i > $i.so; done")
        root.watcher.queue.resume()
        root.listen()
        let all = Set((1...1000).map { "Plugins/\($0).so" })
        #expect(await eventually { root.reports.reduce(Set()) { $0.union($1) }.isSuperset(of: all) })
        #expect(root.reports.count < 10)
    }

    @Test("Changes while a report is handled are combined into at most two reports")
    func combined() async throws {
        let root = try await WatchedRoot(isHeard: false)
        try await root.run("echo 1 > Plugins/first.so")
        #expect(await root.watcher.next() == ["\(root.scratch.path)/Plugins/first.so"])
        for name in ["a", "b", "c"] { try await root.run("echo 1 > Plugins/\(name).so; rm Plugins/\(name).so") }
        root.listen()
        try await root.catchUp()
        for name in ["a", "b", "c"] { #expect((1...2).contains(root.count("Plugins/\(name).so"))) }
    }

    @Test("After an overflow of the kernel's queue all folders are reported, and watching continues")
    func overflow() async throws {
        let root = try await WatchedRoot()
        let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let limit = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        root.watcher.queue.suspend()
        // Names that are not reported themselves. Each causes at least two events.
        for number in 0...(limit / 2) {
            close(open("\(root.scratch.path)/Plugins/.\(number)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        }
        try await root.run("echo 1 > Plugins/libLost.so")
        root.watcher.queue.resume()
        #expect(await root.hears("Plugins"))
        #expect(await root.hears("Manifests"))
        #expect(root.count("Plugins/libLost.so") == 0)
        try await root.catchUp()
    }

    @Test("A watcher that is stopped or whose receiver is cancelled reports nothing more")
    func ends() async throws {
        let root = try await WatchedRoot(isHeard: false)
        let watcher = root.watcher
        let waiting = Task { await watcher.next() }
        try await root.run("echo 1 > Plugins/a.so")
        #expect(await waiting.value != nil)
        watcher.stop()
        watcher.stop()
        try await root.run("echo 1 > Plugins/a.so")
        #expect(await watcher.next() == nil)
        let other = try await WatchedRoot(isHeard: false)
        let cancelled = Task { [watcher = other.watcher] in await watcher.next() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }

    @Test("A watcher without references is freed")
    func freed() {
        var watcher: Watcher? = Watcher(
            folders: ["/usr"], logger: LineLogger(source: "", minimum: .error) { _ in })
        weak let seen = watcher
        #expect(seen != nil)
        watcher = nil
        #expect(seen == nil)
    }

    @Test("Without inotify the watcher logs one warning and still reports changes")
    func noInotify() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("1", to: "Plugins/libOld.so")
        let folder = scratch.path
        await #expect(processExitsWith: .success) { [folder = folder as String] in
            let log = Steps()
            // Dispatch needs a descriptor for its first timer, and must get it before the limit is lowered.
            await withCheckedContinuation { first in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { first.resume() }
            }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // No further descriptor can be opened.
            var none = limit
            none.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            let watcher = Watcher(
                folders: ["\(folder)/Plugins"],
                logger: LineLogger(source: "host", minimum: .warning) { log.add($0) })
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            precondition(
                log.all == [
                    "host: warning: cannot watch \(folder)/Plugins: Too many open files; polls every 2 s instead; "
                        + "fix: raise fs.inotify.max_user_instances or ulimit -n"
                ], "\(log.all)")
            try Data("2".utf8).write(to: URL(filePath: "\(folder)/Plugins/libNew.so"))
            let paths: Set<String> = ["\(folder)/Plugins", "\(folder)/Plugins/libNew.so"]
            while let report = await watcher.next(), report.isDisjoint(with: paths) {}
            exit(EXIT_SUCCESS)
        }
    }
}
