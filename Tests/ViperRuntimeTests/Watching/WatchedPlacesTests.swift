import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ViperRuntime

@Suite(.fewAtOnce, .hangLimit)
struct WatchedPlacesTests {
    @Test(
        "A change behind a symbolic link is reported as a change of the link",
        arguments: [
            // The target is written, replaced, removed or created.
            ("mkdir build; echo 1 > build/a; ln -s ../build/a Plugins/libA.so", "echo 2 > build/a"),
            ("mkdir build; echo 1 > build/a; ln -s $PWD/build/a Plugins/libA.so", "echo 2 > b; mv b build/a"),
            ("mkdir build; echo 1 > build/a; ln -s ../build/a Plugins/libA.so", "rm build/a"),
            ("echo 1 > a; ln -s ../a Plugins/libA.so", "echo 2 > a"),
            ("mkdir build; ln -s ../build/a Plugins/libA.so", "echo 2 > build/a"),
            ("ln -s ../x/y/a Plugins/libA.so", "mkdir -p x/y; echo 2 > x/y/a"),
            // The folder is made again, as by a clean build.
            (
                "mkdir build; echo 1 > build/a; ln -s ../build/a Plugins/libA.so",
                "rm -r build; mkdir build; echo 2 > build/a"
            ),
            ("mkdir build b; echo 2 > b/a; ln -s ../build/a Plugins/libA.so", "mv build old; mv b build"),
            // A link on the way is switched, as by a deployment.
            (
                "mkdir v1 v2; echo 1 > v1/a; echo 2 > v2/a; ln -s v1 now; ln -s ../now/a Plugins/libA.so",
                "ln -s v2 next; mv -T next now"
            ),
            ("echo 1 > a; ln -s a b; ln -s ../b Plugins/libA.so", "echo 2 > c; ln -sf c b"),
        ])
    func links(prepare: String, script: String) async throws {
        let root = try await WatchedRoot(prepare)
        try await root.run(script)
        #expect(await root.hears("Plugins/libA.so"))
    }

    @Test("A link that changes its target is followed to each target, until it is removed")
    func newLinks() async throws {
        let root = try await WatchedRoot("mkdir one two; echo 1 > one/a; echo 1 > two/a")
        for folder in ["one", "two", "one"] {
            try await root.run("ln -sfn ../\(folder)/a Plugins/libA.so")
            try await root.catchUp()
            let before = root.count("Plugins/libA.so")
            try await root.run("echo 2 > \(folder)/a")
            #expect(await eventually { root.count("Plugins/libA.so") > before }, "\(folder)")
        }
        try await root.run("rm Plugins/libA.so")
        try await root.catchUp()
        let before = root.count("Plugins/libA.so")
        try await root.run("echo 3 > one/a; echo 3 > two/a")
        try await root.catchUp()
        #expect(root.count("Plugins/libA.so") == before)
    }

    @Test(
        "Broken, circular and unusual links do not disturb the watcher",
        arguments: [
            "a", "../Plugins/libA.so", "../Plugins", "/", "/proc/self/exe", "/nonexistent/x/y", "..", "//a//./b/..",
        ])
    func unusualLinks(target: String) async throws {
        let root = try await WatchedRoot("ln -s libA.so Plugins/a; ln -s '\(target)' Plugins/libA.so")
        try await root.run("echo 1 > Plugins/libB.so")
        #expect(await root.hears("Plugins/libB.so"))
        #expect(root.log.all == [])
    }

    @Test(
        "A folder that is created, removed, moved or replaced is watched again",
        arguments: [
            ("rmdir Plugins", "mkdir Plugins"),
            (":", "rmdir Plugins; mkdir Plugins"),
            (":", "mv Plugins old; mkdir Plugins"),
            ("mkdir next", "mv Plugins old; mv next Plugins"),
            ("rmdir Plugins; mkdir one two; ln -s one Plugins", "ln -sfn two Plugins"),
            ("rmdir Plugins; mkdir one; ln -s one Plugins", "rmdir one; mkdir one"),
            ("rmdir Plugins", "mkdir build; ln -s build Plugins"),
            ("chmod 0 Plugins", "chmod 700 Plugins"),
        ])
    func folders(prepare: String, script: String) async throws {
        let root = try await WatchedRoot(prepare)
        try await root.run(script)
        #expect(await root.hears("Plugins"))
        try await root.catchUp()
        try await root.run("echo 1 > Plugins/libA.so")
        #expect(await root.hears("Plugins/libA.so"))
    }

    @Test("A folder is reported when it appears and when it is moved away, and is not watched elsewhere")
    func movedFolders() async throws {
        let root = try await WatchedRoot("mkdir next; echo 1 > next/libA.so; rmdir Plugins")
        try await root.run("mv next Plugins")
        #expect(await root.hears("Plugins"))
        try await root.catchUp()
        let before = root.count("Plugins")
        try await root.run("mv Plugins elsewhere")
        #expect(await eventually { root.count("Plugins") > before })
        try await root.catchUp()
        let heard = root.reports.count
        // The folder is no longer part of the root.
        try await root.run("echo 1 > elsewhere/libB.so")
        try await root.catchUp()
        #expect(!root.reports[heard...].contains { $0.contains("Plugins/libB.so") })
    }

    @Test("A root that is removed and made again is watched again")
    func root() async throws {
        let scratch = try ScratchFolder()
        let folder = "\(scratch.path)/root/Manifests"
        try scratch.write("1", to: "root/Manifests/a.json")
        let reports = Steps()
        let watcher = Watcher(folders: [folder], logger: LineLogger(source: "", minimum: .error) { _ in })
        let listening = Task {
            while let paths = await watcher.next() { paths.forEach { reports.add($0) } }
        }
        try FileManager.default.removeItem(atPath: "\(scratch.path)/root")
        #expect(await eventually { reports.all.contains(folder) })
        let isHeard = try await eventually {
            try scratch.write("1", to: "root/Manifests/b.json")
            return reports.all.contains("\(folder)/b.json")
        }
        #expect(isHeard)
        watcher.stop()
        await listening.value
    }

    @Test("Two listings of a folder show the files that were added, removed and changed")
    func listing() throws {
        let scratch = try ScratchFolder()
        for name in ["same", "written", "removed", ".hidden"] { try scratch.write("1", to: name) }
        try FileManager.default.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: "elsewhere/a")
        try scratch.write("1", to: "elsewhere/a")
        let before = FolderListing(of: scratch.path)
        #expect(FolderListing(of: scratch.path).changes(since: before) == [])
        for name in ["written", "new", ".hidden", "elsewhere/a"] { try scratch.write("22", to: name) }
        try FileManager.default.removeItem(atPath: scratch.path + "/removed")
        let after = FolderListing(of: scratch.path)
        #expect(after.changes(since: before).subtracting(["elsewhere"]) == ["written", "new", "removed", "link"])
        #expect(FolderListing(of: scratch.path + "/nothing").changes(since: after).count == 5)
    }
}
