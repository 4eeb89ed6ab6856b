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
}
