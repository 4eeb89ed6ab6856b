import Foundation
import TestSupport
import Testing
import ViperKit

@testable import Web

/// An element of a page in the browser.
struct PageTests {
    private func page(_ screen: Screen, above titles: [String] = []) throws -> Markup {
        try Markup(Page.document(WindowState(screen, above: titles), .sample))
    }

    @Test("Each sample is well-formed, in one piece and as a document, and has one heading and no repeated ID")
    func wellFormed() throws {
        for (name, screen) in SampleScreens.all {
            let state = WindowState(screen, above: ["Menu"])
            let content = Page.content(state, .sample)
            #expect(content.hasPrefix("<main id=\"screen\"") && content.hasSuffix("</main>\n"))
            let page = try Markup(Page.document(state, .sample))
            _ = try Markup(content)
            #expect(try page.texts("//h1") == [screen.title], "\(name)")
            #expect(try page.texts("//title") == [screen.title])
            let ids = try page.texts("//@id")
            #expect(Set(ids).count == ids.count, "\(name): \(ids)")
            for reference in try page.texts("//@aria-labelledby") + page.texts("//@for") {
                #expect(ids.contains(reference), "\(name): \(reference)")
            }
            for references in try page.texts("//@aria-describedby") {
                for id in references.split(separator: " ") { #expect(ids.contains(String(id)), "\(name): \(id)") }
            }
        }
    }

    @Test("No page has inline code or style, or an address of another server")
    func policy() throws {
        for (name, screen) in SampleScreens.all {
            let page = try page(screen, above: ["Menu"])
            #expect(try page.elements("//style | //*[@style] | //script[not(@src)]").isEmpty, "\(name)")
            #expect(try page.texts("//@*").allSatisfy { !$0.hasPrefix("javascript:") && !$0.contains("://") })
            #expect(try page.texts("//@*[starts-with(name(), 'on')]").isEmpty)
        }
    }

    @Test("Each form has the token and the number, and each button a name")
    func forms() throws {
        for (_, screen) in SampleScreens.all {
            let page = try page(screen, above: ["Menu"])
            let forms = try page.elements("//form")
            #expect(!forms.isEmpty)
            #expect(try page.texts("//form/input[@name='token']/@value") == forms.map { _ in "t0ken" })
            #expect(try page.texts("//form/input[@name='nonce']/@value") == forms.map { _ in "12-1" })
            #expect(forms.allSatisfy { $0.string("method") == "post" && $0.string("action") == "/_window/12" })
            #expect(try page.elements("//main//button[not(@name) and not(@disabled)]").isEmpty)
        }
    }

    @Test("Rows, their actions, and what cannot be selected")
    func rows() throws {
        let page = try page(SampleScreens.everything)
        #expect(try page.texts("//button[@name='select']/@value") == ["1", "2", "4", "t1"])
        #expect(try page.value("value", of: "//button[@name='act.remove']") == "1")
        #expect(try page.value("aria-label", of: "//button[@name='act.remove']") == "Remove: Sencha")
        #expect(try page.texts("//li[@data-key='3']//bdi") == ["Pekoe", "sold out"])
        #expect(try page.texts("//ul[@class='rows']//*[@role='img']/@aria-label") == ["checked", "not checked"])
        #expect(try page.texts("//bdi[@class='badge']") == ["new", "last", "recalled", "fresh"])
        #expect(try page.value("src", of: "//li//img") == "/_window/12/image?scene=0&path=tea%20leaf%2F1.png")
        #expect(try page.texts("//img/@alt") == ["A tea leaf", ""])
        #expect(
            try page.texts("//li//*[contains(@class, 'lines')]") == ["Green\nFrom Uji, picked in May", "Do not drink"])
        #expect(try page.texts("//*[@class='status']") == ["4 of 2,000"])
        #expect(try page.texts("//p[contains(@class, 'footer')]").first?.hasPrefix("Weights") == true)
    }

    @Test("A table has the titles of its columns, and aligns them")
    func table() throws {
        let page = try page(SampleScreens.everything)
        #expect(try page.texts("//table//th[@scope='col']") == ["Item", "Price", "Number"])
        #expect(try page.texts("//table//th[@class='end']") == ["Price", "Number"])
        #expect(try page.texts("//table//tr[@data-key='t1']/td[@class='end']") == ["2.50", "7"])
        let lengths = try (1...3).map { try page.elements("(//table//tr)[\($0)]/*").count }
        #expect(Set(lengths) == [4], "\(lengths)")
    }

    @Test("A chart draws its numbers, and has them as a table")
    func charts() throws {
        let page = try page(SampleScreens.charts)
        #expect(try page.texts("//table[@class='chart'][1]//tr[@data-key='b1']/td") == ["$-3,000.00"])
        let bars = try page.elements("//tr[starts-with(@data-key, 'b')]//rect")
        // Zero is at 3,000 / 12,999.99 of the width.
        #expect(bars.map { $0.string("x") } == ["230.8", "0", "230.8", "230.8", "230.8"])
        #expect(bars.map { $0.string("width") } == ["162.1", "230.8", "3.1", "769.2", "0"])
        #expect(try page.texts("//polyline/@points").first?.hasPrefix("0,300 200,221.7 ") == true)
        #expect(try page.texts("//details//th[@scope='col']") == ["Month", "Sold", "Returned"])
        #expect(try page.texts("//ul[@class='legend'][1]/li") == ["Sold", "Returned", "Sold", "Returned"])
        #expect(try page.elements("//svg[not(@aria-hidden) and not(parent::figure)]").isEmpty)
    }

    @Test(
        "A chart of infinite, missing, single and equal numbers draws what it can",
        arguments: ["bar-chart", "line-chart"])
    func strangeCharts(kind: String) throws {
        let strange: [[Double]] = [
            [.infinity, -.infinity, .nan], [], [1], [1.7e308, -1.7e308], [0, 0, 0], [Double.leastNonzeroMagnitude, 1],
            [-0.0],
        ]
        for numbers in strange {
            var section = Section(
                title: "Numbers",
                rows: numbers.enumerated().map { index, number in
                    var row = Row(id: index, title: "\(number)")
                    row.numbers = index % 2 == 0 ? [number] : [number, number, .nan]
                    return row
                })
            section.kind = .init(rawValue: kind)
            var screen = Screen(title: "Chart")
            screen.sections = [section]
            let page = try page(screen)
            for attribute in ["x", "width", "points"] {
                let values = try page.texts("//svg//@\(attribute)")
                #expect(values.allSatisfy { !$0.contains("n") && !$0.contains("e") && !$0.contains("-") }, "\(values)")
            }
        }
    }

    @Test("Alert, message, progress, loading and a notice are in regions that screen readers read out")
    func notices() throws {
        var context = PageContext.sample
        context.notice = "the row is gone"
        let state = WindowState(SampleScreens.everything)
        let page = try Markup(Page.document(state, context))
        #expect(try page.texts("//main//p[@role='status']") == ["the row is gone", "Saved Sencha"])
        #expect(try page.texts("//*[@role='alert']//h2") == ["Not ordered"])
        #expect(try page.texts("//*[@role='alert']//button/@value") == ["retry", "dismiss"])
        #expect(try page.value("value", of: "//progress") == "25")
        #expect(try page.texts("//label[@class='progress']/bdi") == ["Reading 51,200 of 200,000 teas …"])
        // Screen readers only announce changes of existing regions.
        let empty = try Markup(Page.content(WindowState(SampleScreens.loading), .sample))
        #expect(try empty.elements("//p[@role='status']").count == 1)
        #expect(try empty.elements("//div[@role='alert']").count == 1)
        #expect(try empty.value("value", of: "//progress") == nil)
    }

    @Test("Actions have their roles and keys, and the reason why they cannot be used")
    func actions() throws {
        let page = try page(SampleScreens.everything)
        #expect(try page.value("accesskey", of: "//button[@value='order']") == "o")
        #expect(try page.value("class", of: "//button[@value='clear']") == "destructive")
        #expect(try page.value("disabled", of: "//button[@value='gift']") != nil)
        #expect(try page.texts("//button[@value='gift']/bdi") == ["Wrap as a gift", "the paper is sold out"])
        let empty = try self.page(SampleScreens.empty)
        #expect(try empty.texts("//*[@class='empty']//p") == ["No notes yet"])
        #expect(try empty.value("name", of: "//*[@class='empty']//button") == "press")
        let unknown = try self.page(SampleScreens.unknown)
        #expect(try unknown.value("class", of: "//button[@value='go' and not(@aria-hidden)]") == "plain")
    }

    @Test("Enter presses the default action, or nothing")
    func defaultAction() throws {
        func first(_ actions: [Action]) throws -> [String] {
            var screen = SampleScreens.form
            screen.actions = actions
            let button = try #require(try page(screen).elements("//form[@id='page']//button").first)
            return [button.string("name"), button.string("value"), button.string("disabled") == "" ? "" : "disabled"]
        }
        let (plain, save) = (SampleScreens.action("plain", "Plain"), SampleScreens.action("save", "Save", .default))
        let cancel = SampleScreens.action("cancel", "Cancel", .cancel)
        var disabled = save
        disabled.disabledReason = "no"
        #expect(try first([cancel, plain, save])[1] == "save")
        #expect(try first([cancel, plain])[1] == "plain")
        #expect(try first([cancel, disabled])[0] == "")
        // Enter in a search field searches. The button that a browser presses is the first one of the field's form.
        let search = try page(SampleScreens.everything)
        #expect(try search.texts("//button[@form='search0']/@name") == ["fill"])
        #expect(try search.value("form", of: "//input[@type='search']") == "search0")
        #expect(try search.texts("//form[@id='search0']/input/@name") == ["token", "nonce"])
    }

    @Test("The path of scenes has a button that leads back")
    func path() throws {
        let page = try page(SampleScreens.form, above: ["Menu", "People"])
        #expect(try page.texts("//nav//li") == ["Menu", "People", "Settings"])
        #expect(try page.texts("//nav//li[@aria-current='page']") == ["Settings"])
        #expect(try page.value("name", of: "//nav//button") == "back")
        #expect(try self.page(SampleScreens.form).elements("//nav").isEmpty)
    }

    @Test("A closed window says why, offers to open it again, and disables all controls")
    func closed() throws {
        let error = ViperError(.timeLimit, operation: "cannot use scene", subject: "7", cause: "it is gone")
        let state = WindowState(screen: SampleScreens.form, scenes: [], error: error)
        let page = try Markup(Page.content(state, .sample))
        #expect(try page.value("disabled", of: "//fieldset[@class='all']") != nil)
        #expect(try page.texts("//*[contains(@class, 'closed')]/p[2]") == ["cannot use scene \"7\": it is gone"])
        #expect(try page.value("href", of: "//*[contains(@class, 'closed')]//a") == PageContext.sample.address)
    }

    @Test("A page about an error has its status and a way to the start")
    func problem() throws {
        let page = try Markup(Page.problem("No such page", "Route <lst>\nis unknown", status: 404))
        #expect(try page.texts("//main/p[1]") == ["404"])
        #expect(try page.texts("//main/p[2]") == ["Route <lst>\nis unknown"])
        #expect(try page.value("href", of: "//main//a") == "/")
    }

    @Test("A page of a text that is written from right to left is mirrored")
    func direction() throws {
        #expect(try page(SampleScreens.hebrew).value("dir", of: "//main") == "rtl")
        #expect(try page(SampleScreens.form).value("dir", of: "//main") == "ltr")
        #expect(WritingDirection(of: "12: שלום and more") == .rightToLeft)
        #expect(WritingDirection(of: "") == .leftToRight)
    }

    @Test("A page of work in progress reads itself again without a script, unless it has a form")
    func waiting() throws {
        #expect(try page(SampleScreens.loading).elements("//noscript/meta").count == 1)
        var screen = SampleScreens.form
        screen.isLoading = true
        #expect(try page(screen).elements("//noscript").isEmpty)
    }
}
