import TestSupport
import Testing
import ViperKit

@testable import Web

/// The fields of a page, and the values that a browser sends for them.
struct FieldTests {
    private let page: Markup

    init() throws { page = try Markup(Page.document(WindowState(SampleScreens.form), .sample)) }

    @Test(
        "Each kind of field has its control",
        arguments: [
            ("name", "text"), ("age", "text"), ("born", "date"), ("vague", "text"), ("pin", "password"),
            ("news", "checkbox"),
        ])
    func inputs(id: String, type: String) throws {
        #expect(try page.value("type", of: "//input[@name='field.\(id)' and not(@type='hidden')]") == type)
        let input = try #require(try page.elements("//input[@name='field.\(id)' and not(@type='hidden')]").first)
        #expect(try page.elements("//label[@for='\(input.string("id"))']").count == 1)
    }

    @Test("Help, errors, what is required, and what is chosen are with their fields")
    func remarks() throws {
        #expect(try page.value("aria-required", of: "//input[@name='field.name']") == "true")
        #expect(try page.value("aria-invalid", of: "//input[@name='field.age']") == "true")
        #expect(try page.value("autofocus", of: "//*[@autofocus]") != nil)
        #expect(try page.texts("//*[@id='error1']") == ["must be a whole number"])
        #expect(try page.texts("//*[@id='help2']") == ["We send a tea."])
        #expect(
            try page.texts("//textarea") == ["\n\nTwo lines\nof text"], "a parser of HTML drops the first line break")
        #expect(try page.texts("//option[@selected]") == ["Large"])
        #expect(try page.texts("//fieldset[@id='field8']//input[@checked]/@value") == ["green", "black"])
        #expect(try page.texts("//fieldset[@id='field8']/legend") == ["Kinds"])
        #expect(try page.value("value", of: "//input[@name='field.news' and @type='hidden']") == "false")
    }

    @Test("A secret is never in a page, nor is the value of an unknown kind")
    func secrets() throws {
        let form = Page.document(WindowState(SampleScreens.form), .sample)
        #expect(!form.contains("1234"))
        let unknown = Page.document(WindowState(SampleScreens.unknown), .sample)
        #expect(!unknown.contains("secret of the face"))
        #expect(unknown.contains("(face: this version cannot show it)"))
        #expect(unknown.contains("(map: this version cannot show it)"))
        #expect(unknown.contains("(globe: this version cannot show it)"))
        #expect(try Markup(unknown).value("type", of: "//input[@name='field.face']") == "password")
    }

    @Test("The submitted value is the one in the page")
    func submitted() throws {
        let fields = try #require(SampleScreens.form.form?.fields)
        var values: [String: String] = [:]
        for field in fields { values[field.id] = Page.submitted(field) }
        for id in ["name", "age", "born", "vague", "pin"] {
            #expect(try page.value("value", of: "//input[@name='field.\(id)']") == values[id])
        }
        #expect(values["notes"] == "\nTwo lines\nof text")
        #expect(values["kinds"] == "green,black", "in the order of the options")
        #expect(values["news"] == "true" && values["size"] == "l" && values["pin"] == "")
    }

    @Test("A value that a control cannot hold is submitted as what the control shows")
    func strange() {
        func submitted(_ value: String, _ kind: Field.Kind) -> String {
            var field = Field(id: "a", label: "A", value: value, kind: kind)
            field.options = [.init(id: "x", title: "X"), .init(id: "y", title: "Y")]
            return Page.submitted(field)
        }
        #expect(submitted("yes", .toggle) == "false")
        #expect(submitted("z", .choice) == "")
        #expect(submitted("y,z,x", .choices) == "x,y")
        #expect(submitted("a\nb\u{202E}", .text) == "a\u{FFFD}b\u{FFFD}")
        #expect(submitted("a\nb\u{202E}", .multiline) == "a\nb\u{FFFD}")
        #expect(submitted("pin", .init(rawValue: "face")) == "")
    }

    @Test(
        "A date that no calendar has is a text",
        arguments: [
            ("", true), ("2026-11-25", true), ("2024-02-29", true), ("2023-02-29", false), ("2026-13-01", false),
            ("2026-00-10", false), ("2026-04-31", false), ("0000-01-01", false), ("26-1-1", false),
            ("２０２６-11-25", false),
            ("-026-11-25", false),
        ])
    func dates(value: String, isDate: Bool) throws {
        var screen = Screen(title: "Date")
        screen.form = Form(fields: [Field(id: "day", label: "Day", value: value, kind: .date)])
        let page = try Markup(Page.content(WindowState(screen), .sample))
        #expect(try page.value("type", of: "//input[@name='field.day']") == (isDate ? "date" : "text"))
    }
}
