import Testing
import ViperKit

struct HTTPHeadersTests {
    private let headers: HTTPHeaders = ["Set-Cookie": "a=1", "X-One": "x", "set-cookie": "b=2", "SET-COOKIE": "c=3"]

    @Test("Header fields keep their order, repetition and spelling")
    func order() {
        #expect(headers.map(\.name) == ["Set-Cookie", "X-One", "set-cookie", "SET-COOKIE"])
        #expect(headers.map(\.value) == ["a=1", "x", "b=2", "c=3"])
    }

    @Test("A name finds its first value or all values, regardless of case", arguments: ["set-cookie", "SeT-CoOkIe"])
    func find(name: String) {
        #expect(headers[name] == "a=1")
        #expect(headers.values(of: name) == ["a=1", "b=2", "c=3"])
        #expect(headers["x-two"] == nil && headers.values(of: "x-two") == [])
    }

    @Test("Only ASCII letters are equal regardless of case")
    func asciiOnly() {
        // The Kelvin sign, whose lowercase form is an ASCII k, and two bytes that differ only in the case bit.
        let headers: HTTPHeaders = ["Cooki\u{212A}": "1", "X@": "2"]
        #expect(headers["Cookik"] == nil && headers["X`"] == nil && headers["x@"] == "2")
    }

    @Test("Setting a value replaces all fields with the name at the first position, or else appends")
    func set() {
        var changed = headers
        changed["set-COOKIE"] = "d=4"
        #expect(changed == ["Set-Cookie": "d=4", "X-One": "x"])
        changed["X-Two"] = "y"
        changed.append(name: "x-one", value: "z")
        #expect(changed == ["set-cookie": "d=4", "x-one": "x", "x-two": "y", "X-One": "z"])
        changed["X-ONE"] = nil
        changed["unknown"] = nil
        #expect(changed == ["set-cookie": "d=4", "x-two": "y"])
        #expect(HTTPHeaders([]) == [:])
        #expect(HTTPHeaders(changed.reversed()) != changed)
    }

    @Test("Descriptions and dumps show names, but no values")
    func secrets() throws {
        let headers: HTTPHeaders = ["Authorization": "s3cret"]
        for value in [headers, try #require(headers.first)] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(text.contains("Authorization") && !text.contains("s3cret"))
            }
        }
    }
}

struct BaseURLTests {
    @Test(
        "A base URL loses its trailing slashes",
        arguments: ["http://a.b", "http://a.b/", "https://u:p@a.b:80/x//", "http://[::1]/"])
    func slashes(url: String) throws {
        let text = try BaseURL(url).text
        #expect(url.hasPrefix(text) && !text.hasSuffix("/") && url.dropFirst(text.count).allSatisfy { $0 == "/" })
    }

    @Test(
        "An invalid base URL is refused without revealing its secrets",
        arguments: ["", "a.b", "ftp://a.b", "http:", "http://", "http://u:secret@a.b?secret", "http://a.b/#secret"])
    func invalid(url: String) {
        let error = #expect(throws: ViperError.self) { try BaseURL(url) }
        #expect(error?.code == .httpRequestInvalid && error?.operation == "cannot use base URL")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("Descriptions and dumps hide user and password")
    func secrets() throws {
        let url = try BaseURL("https://ada:s3cret@a.b/api/")
        var dumped = ""
        dump(url, to: &dumped)
        #expect("\(url)" == "https://a.b/api")
        for text in [String(reflecting: url), dumped] { #expect(!text.contains("s3cret")) }
    }
}
