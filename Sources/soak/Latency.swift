import Foundation
import HostDriver

/// A scenario that measures the time from the arrival of a library in `Plugins` to the first answer from its code. The
/// scenario compares this time with a floor, which is the time to start a process plus the time to load a library.
enum Latency: Scenario {
    static let name = "latency"
    /// The maximum ratio of the measured time to the floor.
    private static let factor = 3.0

    /// The median times of the two operations that make up the floor, and of the loader program, in milliseconds.
    private struct Floor {
        /// The running time of `host --version`, which reads no files.
        var start: Double
        /// The time that `dlopen` of the library takes in a C program.
        var load: Double
        /// The total running time of the C program that loads the library.
        var loader: Double
    }

    static func run(isShort: Bool) async throws -> String {
        let rounds = isShort ? 5 : 30
        let served = try await Served()
        let arrivals = try await onOwnThread { try Self.arrivals(in: served, rounds) }.medianMilliseconds
        try await served.expectAlive()
        let library = try served.root.folder.write(served.module.library(1), to: VersionedModule.library)
        let program = try await loader.compiled()
        let floor = try await onOwnThread { try Self.floor(loading: library, with: program, rounds) }
        let sum = floor.start + floor.load
        var line = "\(arrivals.shown(1)) ms from rename to answer, median of \(rounds); "
        line += "floor \(sum.shown(1)) ms: host --version \(floor.start.shown(1)) + dlopen \(floor.load.shown(1)); "
        line += "\((arrivals / sum).shown(2)) times the floor; "
        line += "a C process that loads the library takes \(floor.loader.shown(1)) ms"
        // Do not check the measured time in a short run, which uses a debug build on a busy machine.
        try expect(isShort || arrivals <= factor * sum, line)
        return line
    }

    private static func floor(loading library: String, with program: String, _ rounds: Int) throws -> Floor {
        var (starts, loads, loaders): ([Duration], [Duration], [Duration]) = ([], [], [])
        for _ in 0..<rounds {
            starts.append(try Timed.run([Products.host, "--version"]).time)
            let loader = try Timed.run([program, library], environment: ["LD_LIBRARY_PATH=\(Products.folder)"])
            loaders.append(loader.time)
            guard let time = Double(loader.output) else { throw Failure("cannot load the library: \(loader.output)") }
            loads.append(.microseconds(time))
        }
        return Floor(
            start: starts.medianMilliseconds, load: loads.medianMilliseconds, loader: loaders.medianMilliseconds)
    }

    private static func arrivals(in served: Served, _ rounds: Int) throws -> [Duration] {
        let client = try Client(served.socket)
        _ = try client.call("subscribe", #"{"to":["registry"]}"#)
        _ = try client.open(VersionedModule.route)
        return try (2...rounds + 1).map { version in
            let begin = try served.put(version)
            _ = try client.notification { $0.params?.module == "versioned" && $0.params?.generation == version }
            let title = try client.open(VersionedModule.route).screen.title
            let time = ContinuousClock.now - begin
            try expect(title == "\(version)", "version \(title) answers, expected \(version)")
            return time
        }
    }

    /// A C program that loads a library and prints how long this took, in microseconds.
    private static let loader = ProgramFixture(
        "loader",
        """
        #include <dlfcn.h>
        #include <stdio.h>
        #include <time.h>

        int main(int count, char **words) {
            struct timespec begin, end;
            if (count < 2) return 0;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            if (!dlopen(words[1], RTLD_NOW)) return puts(dlerror());
            clock_gettime(CLOCK_MONOTONIC, &end);
            printf("%ld", (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000);
        }
        """)
}
