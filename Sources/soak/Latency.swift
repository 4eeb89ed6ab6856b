import Foundation
import HostDriver

/// A scenario that measures the time from a library's arrival in `Plugins` to the first response of its code. The time
/// is compared with a floor: the start of a process plus the loading of a library.
enum Latency: Scenario {
    static let name = "latency"
    /// The maximum time, as a multiple of the floor.
    private static let factor = 3.0

    /// The medians of the times, in milliseconds.
    private struct Floor {
        /// `host --version`: a process that starts, reads nothing and exits.
        var start: Double
        /// `dlopen` of the library in a process that does nothing else.
        var load: Double
        /// The complete run of that process.
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
        // A short run uses a debug build on a busy machine, so its time does not count.
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

    /// A program that loads a library and prints the time in microseconds.
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
