import Glibc
import HostSystem
import ModuleIsolation
import ViperKit
import ViperRuntime

/// The options of a command that lists what a host has.
struct ListingOptions: Sendable {
    var via = Via()
    var host = HostOptions()
    var format = Format.text

    static let all =
        [Via.option.at(\Self.via)] + HostOptions.common.map { $0.at(\.host) } + [Format.option.at(\.format)]

    /// Returns listings. With `--via`, the host at that socket supplies them. Otherwise, a new host supplies them.
    ///
    /// - Parameter readsLibraries: True to read and check all libraries, and to read the reports about crashes. Otherwise, the
    ///   new host checks only who can change the libraries.
    func read<each Value: Listing>(
        _ types: repeat (each Value).Type, readsLibraries: Bool = false
    ) async throws(ViperError) -> (repeat each Value) {
        let answer = try await via.ask { host throws(ViperError) in
            (repeat try await host.listing(each types))
        }
        if let answer { return answer }
        let host = try host.makeHost()
        if readsLibraries {
            host.checkLibraries()
            host.readCrashes()
            host.readVersions()
        } else {
            host.checkTrust()
        }
        return (repeat (each types).init(of: host))
    }

    /// Prints a warning that names the refused modules, because some listings omit these modules.
    func warn(ofRefusedIn modules: ModuleListing) throws(ViperError) {
        let refused = modules.refused
        if refused.isEmpty { return }
        let names = refused.map { printable($0) }.joined(separator: ", ")
        try Terminal.write(
            "host: warning: refused modules: \(names); host modules shows the reasons\n", to: STDERR_FILENO)
    }
}
