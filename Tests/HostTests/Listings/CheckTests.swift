import Foundation
import HostDriver
import TestSupport
import Testing

/// `host check`.
@Suite(.fewAtOnce)
struct CheckTests {
    private struct Report: Decodable {
        struct Problem: Decodable {
            struct Failure: Decodable { var code: String }
            var module: String?
            var error: Failure
        }
        var modules: Int
        var problems: [Problem]
    }

    private let root: ScratchRoot

    init() throws {
        root = try ScratchRoot()
        try root.copyManifest("details")
    }

    @Test("A root in order has no problem")
    func inOrder() async throws {
        let result = try await root.host("check")
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        #expect(result.text == "No problem in 2 modules and 5 routes\n")
        let json = try await root.host("check", "--format", "json")
        let report = try JSONDecoder().decode(Report.self, from: json.output)
        #expect(report.modules == 2 && report.problems.isEmpty && json.ending == .code(0), "\(json)")
    }

    @Test("A missing folder of resources is a problem")
    func resources() async throws {
        try FileManager.default.removeItem(atPath: "\(root.path)/Plugins/CompanyList")
        let check = try await root.host("check")
        let cause = "cannot use resources of \"company-list\": the folder \(root.path)/Plugins/CompanyList/Resources"
        #expect(check.ending == .code(1) && check.text.contains("\(cause) does not exist"), "\(check)")
        let why = try await root.host("why", "company-list")
        #expect(why.text.contains("does not exist") && !why.text.contains("it is refused"), "\(why)")
    }

    @Test("Each kind of problem is found, named with its code, and makes the command fail")
    func problems() async throws {
        try root.add(manifest: "{", as: "broken.json")
        try root.add(ManifestText("gone", library: "libGone.so", routes: ["gone"]))
        var needy = ManifestText("needy", library: "libNeedy.so", routes: ["needy"])
        needy.requires = ["telescope"]
        try root.add(needy)
        try root.add(ManifestText("first", library: "libFirst.so", routes: ["shared"]))
        var second = ManifestText("second", library: "libSecond.so", routes: ["shared"])
        second.opens = ["nowhere"]
        try root.add(second)
        try root.copy(Products.companyList, to: "libStray.so")
        for library in ["libFirst.so", "libSecond.so"] { try root.copy(Products.companyList, to: library) }
        let shown = try await root.host("check")
        #expect(shown.ending == .code(1))
        #expect(shown.errors == "host: cannot accept \"the root\": 6 problems\n", "\(shown)")
        #expect(shown.text.contains("\nmodule second: cannot open route \"nowhere\": no module provides it\n  fix: "))
        let json = try await root.host("check", "--format", "json")
        #expect(json.ending == .code(1) && json.errors.contains(#""code":"check-failed""#), "\(json)")
        let report = try JSONDecoder().decode(Report.self, from: json.output)
        let found = Set(report.problems.map { "\($0.module ?? "-") \($0.error.code)" })
        #expect(
            found == [
                "broken manifest-invalid", "gone library-missing", "needy requirement-unmet", "second route-unknown",
                "- route-contested", "- library-unreferenced",
            ])
    }

    @Test("A serving host is asked for the problems that it has found")
    func served() async throws {
        let host = try await ServingHost(root)
        func check() async throws -> ChildResult {
            try await ChildProcess(Products.host, ["check", "--via", host.socket], environment: root.environment).run()
        }
        #expect(try await check().ending == .code(0))
        try root.add(manifest: "{", as: "broken.json")
        let isFound = await eventually {
            (try? await check()).map { $0.ending == .code(1) && $0.text.contains("Manifests/broken.json:1:2") } ?? false
        }
        #expect(isFound)
    }
}
