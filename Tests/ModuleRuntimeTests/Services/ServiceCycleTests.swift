import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import HostSystem
@testable import ModuleRuntime

/// Services that require each other. No test here may wait forever.
@Suite(.hangLimit)
struct ServiceCycleTests {
    private let container = ServiceContainer(timeLimit: Patience.limit)

    private func failure(_ key: ServiceKey<Numbered>) async throws -> ViperError {
        try await #require(throws: ViperError.self) {
            try await container.services("m", "a", "b", "c").resolveOrCreate(key)
        }
    }

    @Test("The error for two services that require each other names the whole cycle")
    func two() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { try await $0.resolveOrCreate(.a) }
        let error = try await failure(.a)
        #expect(error.code == .serviceCycle)
        #expect(error.summary == "cannot create service \"a\": it depends on itself: a → b → a")
        #expect(error.notes == [.init("requested by", "module m → a → b → a")])
        #expect(error.fix == "resolve one of them later, when it is used")
    }

    @Test("The error for a cycle omits the path that leads to it")
    func tail() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { try await $0.resolveOrCreate(.c) }
        container.provide(.c, scope: .perModule) { try await $0.resolveOrCreate(.b) }
        #expect(try await failure(.a).cause == "it depends on itself: b → c → b")
    }

    @Test("A singleton that requires itself is a cycle of one")
    func one() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.a) }
        #expect(try await failure(.a).cause == "it depends on itself: a → a")
    }

    @Test("A per-module service that requires itself is a cycle of one")
    func onePerModule() async throws {
        container.provide(.a, scope: .perModule) { try await $0.resolveOrCreate(.a) }
        #expect(try await failure(.a).cause == "it depends on itself: a → a")
    }

    @Test("A factory that uses another module's resolver does not hide the cycle")
    func capturedResolver() async throws {
        let foreign = container.services("foreign", "a")
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { _ in try await foreign.resolveOrCreate(.a) }
        #expect(try await failure(.a).cause == "it depends on itself: a → b → a")
    }

    @Test("A cycle through the containers of two modules is found")
    func twoModules() async throws {
        let (first, second) = (ServiceContainer(beside: container), ServiceContainer(beside: container))
        func services(_ module: String, _ name: String, from other: ServiceContainer) -> ModuleServices {
            ModuleServices(
                consumer: ServiceConsumer(module: module, manifestFile: "", allowed: [name], folders: []),
                own: ServiceContainer(beside: container), host: container, providers: [name: other])
        }
        let (ofFirst, ofSecond) = (services("p", "b", from: second), services("q", "a", from: first))
        _ = first.register(.a, provider: "p", scope: .singleton) { _ in try await ofFirst.resolveOrCreate(.b) }
        _ = second.register(.b, provider: "q", scope: .singleton) { _ in try await ofSecond.resolveOrCreate(.a) }
        let error = try await #require(throws: ViperError.self) {
            try await services("m", "a", from: first).resolveOrCreate(.a)
        }
        #expect(error.cause == "it depends on itself: a → b → a")
        #expect(error.notes == [.init("requested by", "module m → a → b → a")])
    }

    @Test("A factory that asks for two services at once finds a cycle through either")
    func branches() async throws {
        container.provide(.a) { services in
            async let b = services.resolveOrCreate(.b)
            async let c = services.resolveOrCreate(.c)
            return Numbered(try await b.number + c.number)
        }
        container.provide(.b) { _ in Numbered(1) }
        container.provide(.c) { try await $0.resolveOrCreate(.a) }
        #expect(try await failure(.a).cause == "it depends on itself: a → c → a")
    }

    @Test("A service that another one requires can also be requested directly")
    func requestedDirectly() async throws {
        container.provide(.a) { try await $0.resolveOrCreate(.b) }
        container.provide(.b) { _ in Numbered(7) }
        #expect(try await container.services("m", "a").resolveOrCreate(.a).number == 7)
        #expect(try await container.services("m", "b").resolveOrCreate(.b).number == 7)
    }

    @Test("Two tasks that enter a cycle from both ends both throw an error", arguments: 0..<20)
    func twoTasks(round: Int) async {
        let (inA, inB) = (Gate(), Gate())
        // Each factory asks for the other service only while both run, so that none of the two is first.
        container.provide(.a) { services in
            inA.open()
            await inB.pass()
            return try await services.resolveOrCreate(.b)
        }
        container.provide(.b) { services in
            inB.open()
            await inA.pass()
            return try await services.resolveOrCreate(.a)
        }
        async let first = container.services("m", "a").failure(.a)
        async let second = container.services("n", "b").failure(.b)
        let errors = await (first, second)
        let cycles = ["it depends on itself: a → b → a", "it depends on itself: b → a → b"]
        #expect(cycles.contains(errors.0?.cause ?? "") && errors.0?.cause == errors.1?.cause)
        #expect(errors.0?.code == .serviceCycle)
        // Each error names the request that it answers, although one creation failed for both.
        #expect(errors.0?.notes.first?.text.hasPrefix("module m → a → b") == true, "\(errors)")
        #expect(errors.1?.notes.first?.text.hasPrefix("module n → b → a") == true, "\(errors)")
    }

    @Test("A creation that has ended, and still waits, is no part of a cycle")
    func ended() async throws {
        let (inC, mayRequestA, mayRequestC, mayEnd) = (Gate(), Gate(), Gate(), Gate())
        let tally = Tally()
        container.provide(.a) { services in
            guard tally.next() == 1 else {
                await mayEnd.pass()
                return Numbered(2)
            }
            // An unstructured task is not cancelled with the creation, and still waits for `b`.
            return try await Task { try await services.resolveOrCreate(.b) }.value
        }
        container.provide(.b) { services in
            await mayRequestC.pass()
            return try await services.resolveOrCreate(.c)
        }
        container.provide(.c) { services in
            inC.open()
            await mayRequestA.pass()
            return try await services.resolveOrCreate(.a)
        }
        let container = container
        let first = Task { try await container.services("m", "a").resolveOrCreate(.a) }
        #expect(await eventually { container.waiters(of: .b) == 1 })
        first.cancel()
        _ = await first.result
        async let second = container.services("n", "c").resolveOrCreate(.c).number
        await inC.pass()
        mayRequestA.open()
        #expect(await eventually { container.waiters(of: .a) == 1 })
        // Now `c` waits for the second `a`. Only the first `a`, which has ended, waits for `b`.
        async let third = container.services("o", "b").resolveOrCreate(.b).number
        #expect(await eventually { container.waiters(of: .b) == 2 })
        mayRequestC.open()
        // The request of `b` waits, or has failed.
        #expect(await eventually { container.waiters(of: .c) == 2 || container.waiters(of: .b) == 0 })
        mayEnd.open()
        #expect(try await [second, third] == [2, 2])
    }

    @Test("Two tasks whose requirements cross without a cycle both succeed")
    func crossed() async throws {
        let (inA, inB) = (Gate(), Gate())
        // One task runs the factory of `a` while the other requests `b`. First `b` and then `a` requires `c`.
        container.provide(.a) { services in
            inA.open()
            await inB.pass()
            return try await services.resolveOrCreate(.c)
        }
        container.provide(.b) { services in
            let c = try await services.resolveOrCreate(.c)
            inB.open()
            return c
        }
        container.provide(.c) { _ in Numbered(3) }
        async let first = container.services("m", "a").resolveOrCreate(.a).number
        await inA.pass()
        #expect(try await container.services("n", "b").resolveOrCreate(.b).number == 3)
        #expect(try await first == 3)
    }
}
