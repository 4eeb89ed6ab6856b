import Foundation
import Testing
import ViperKit

struct CredentialTests {
    @Test("Descriptions, dumps and reflection of a credential hide its secret")
    func hidden() {
        let credential = Credential(user: "ada", secret: "s3cret")
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), "\([credential])", dumped] {
            #expect(text.contains("ada") && !text.contains("s3cret"))
        }
    }

    @Test("JSON, descriptions and dumps of a password field hide its value")
    func field() throws {
        let field = Field(id: "password", label: "Password", value: "s3cret", kind: .password)
        var dumped = ""
        dump(field, to: &dumped)
        let encoded = try JSONEncoder().encode(field)
        let json = String(decoding: encoded, as: UTF8.self)
        for text in ["\(field)", String(reflecting: field), dumped, json] {
            #expect(text.contains("password") && !text.contains("s3cret"))
        }
        #expect(try JSONDecoder().decode(Field.self, from: encoded).value == "")
    }

    @Test("A store without an atomic change refuses to replace a credential, and calls nothing else")
    func notAtomic() async throws {
        let store = ElderStore()
        for new in [Credential(user: "ada", secret: "s3cret"), nil] {
            let error = try await #require(throws: ViperError.self) { try await store.replace(nil, with: new) }
            #expect(error.code == .storeFailed && !"\(error)".contains("s3cret"))
            #expect(
                error.summary
                    == "cannot replace credential in \"ElderStore\": this store cannot compare and replace in one step")
            #expect(error.fix == "implement replace(_:with:) of CredentialStore, which ViperKit 1.1 has added")
        }
    }
}

/// A store that was written for ViperKit 1.0.
private struct ElderStore: CredentialStore {
    func credential() async throws(ViperError) -> Credential? {
        Issue.record("the credential was read")
        return nil
    }
    func save(_ credential: Credential) async throws(ViperError) { Issue.record("a credential was saved") }
    func remove() async throws(ViperError) { Issue.record("the credential was removed") }
}
