import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Account

/// The whole module with a real registry, router and container, a scripted server and an in-memory credential store.
@MainActor
struct AccountSceneTests {
    private func host(_ server: ScriptedHTTPClient, _ store: FakeStore) throws -> TestHost {
        try TestHost(AccountModule.self, manifest: "account.json") { services in
            services.provide(.httpClient, server)
            services.provide(.json, FoundationJSONCoder())
            services.provide(.configuration, Configuration(["baseURL": .string("http://x")]))
            services.provide(.credentialStore, store)
        }
    }

    @Test("Logging in and out switches between form and home, and all objects are freed")
    func roundTrip() async throws {
        let (server, store) = (ScriptedHTTPClient(always: .response(200, #"{"token": "t"}"#)), FakeStore())
        let scene = try await host(server, store).open("home")
        #expect(scene.screen.title == "Log in" && !scene.screen.isLoading)
        try await scene.fill("userName", "ada")
        try await scene.fill("password", "lovelace")
        #expect(scene.text == "Log in\n  User name   [ada]\n  Password    [••••••••]\n  [login] Log in\n")
        try await scene.press("login")
        #expect(scene.text == "Home\nWelcome, ada\n  [logout] Log out\n")
        #expect(
            store.current
                == Credential(
                    user: "sessions", secret: #"[{"identity":"","server":"http://x","token":"t","userName":"ada"}]"#))
        #expect(server.requests.map(\.url) == ["http://x/login"])
        try await scene.press("logout")
        #expect(scene.screen.title == "Log in" && store.current == nil)
        #expect(scene.screen.form?.fields.map(\.value) == ["", ""])
        let way = ["home", "login", "home", "login"]
        #expect(scene.steps.filter { $0.hasPrefix("replace-root") } == way.map { "replace-root \($0)" })
        #expect(!scene.steps.joined().contains("lovelace"))
        await scene.expectDeallocated()
    }

    @Test("A refused login shows an alert, and the scene no longer holds the password")
    func refused() async throws {
        let scene = try await host(ScriptedHTTPClient(["POST /login": [.response(401, "lovelace")]]), FakeStore()).open(
            "login")
        try await scene.fill("userName", "ada")
        try await scene.fill("password", "lovelace")
        try await scene.press("login")
        #expect(
            scene.text == """
                Log in
                ! Cannot log in
                  cannot log in as "ada": the user name or the password is wrong
                  [dismiss] Back to the form
                  User name   [ada]
                  Password    []
                  [login] Log in

                """)
        var dumped = ""
        dump(scene, to: &dumped)
        #expect(dumped.contains("LoginPresenter") && !dumped.contains("lovelace"))
        await scene.expectDeallocated()
    }

    @Test("An unreadable credential shows an alert with an action to log in again")
    func damaged() async throws {
        let scene = try await host(ScriptedHTTPClient(always: .response(401, "")), FakeStore(failing: storeError)).open(
            "home")
        #expect(scene.screen.alert?.message == storeError.description)
        try await scene.press("login")
        #expect(scene.screen.title == "Log in")
        await scene.expectDeallocated()
    }

    @Test("A logged-in user is greeted without the login form")
    func loggedIn() async throws {
        let scene = try await host(
            ScriptedHTTPClient(always: .response(500, "")),
            FakeStore(
                Credential(user: "", secret: #"[{"identity":"","server":"http://x","token":"t","userName":"ada"}]"#))
        ).open("home")
        #expect(scene.text == "Home\nWelcome, ada\n  [logout] Log out\n")
        #expect(scene.steps == ["replace-root home"])
        await scene.expectDeallocated()
    }
}
