import ViperKit

/// The element `main` of a window's page: its screen, and the path of its scenes.
struct ScreenPage {
    let state: WindowState
    let context: PageContext
    /// The fields that are searched with, each in a form of its own. The numbers are those of the fields in the form.
    let searches: [(number: Int, field: Field)]
    /// The other fields.
    let fields: [(number: Int, field: Field)]

    init(_ state: WindowState, _ context: PageContext) {
        (self.state, self.context) = (state, context)
        let all = (state.screen.form?.fields ?? []).enumerated().map { (number: $0.offset, field: $0.element) }
        searches = all.filter { $0.field.kind == .search }
        fields = all.filter { $0.field.kind != .search }
    }

    var screen: Screen { state.screen }

    /// True if the scene asks something, like a dialog.
    private var isPresented: Bool { state.scenes.last?.transition == .present }

    var html: HTML {
        return """
            <main id="screen" class="\(isPresented ? "presented" : "pushed")" dir="\(WritingDirection(of: screen.title).attribute)" \
            tabindex="-1" data-window="\(context.window)" data-address="\(id: context.address)"\
            \(" data-closed=\"\"", if: state.isClosed && state.error == nil)>
            <form id="page" class="page" method="post" action="/_window/\(context.window)" novalidate="" \
            autocomplete="off">
            \(credentials)\(defaultButton)<fieldset class="all"\(" disabled=\"\"", if: state.isClosed)>
            \(path)\(header)\(notices)\(lines(screen.text, "text"))\(tools)\(sections)\(empty)\(form)\
            \(areActionsBelow ? buttons(screen.actions) : nil)\
            </fieldset>
            </form>
            \(searchForms)</main>

            """
    }

    /// The hidden inputs of each form.
    private var credentials: HTML {
        """
        <input type="hidden" name="token" value="\(id: context.token)"/>
        <input type="hidden" name="nonce" value="\(id: context.nonce)"/>

        """
    }

    /// The forms of the search fields, to which the fields refer by ID. Enter in one of them searches and does nothing
    /// else.
    private var searchForms: HTML {
        HTML.joined(searches) { search in
            """
            <form id="search\(search.number)" method="post" action="/_window/\(context.window)" autocomplete="off">
            \(credentials)</form>

            """
        }
    }

    /// The path of scenes, with the button that closes the topmost one.
    private var path: HTML? {
        if state.scenes.count < 2 { return nil }
        let last = state.scenes.count - 1
        let titles = HTML.joined(state.scenes.enumerated()) { place, scene in
            let mark: HTML? = place == last ? " aria-current=\"page\"" : nil
            return "<li\(mark)><bdi>\(place == last ? screen.title : scene.title)</bdi></li>"
        }
        return """
            <nav class="path" aria-label="Path">
            <button class="quiet back" name="back" value="1">Back</button>
            <ol>\(titles)</ol>
            </nav>

            """
    }

    /// True if the actions follow what they belong to. Those of a list are above it, because it can be long.
    private var areActionsBelow: Bool { isPresented || !fields.isEmpty }

    private var header: HTML {
        let picture = screen.image.map { image($0, "logo") }
        let actions = areActionsBelow ? nil : buttons(screen.actions)
        return """
            <div class="head">\(picture)<h1 tabindex="-1" dir="auto">\(screen.title)</h1>\(actions)</div>

            """
    }

    /// The paragraph of the message and the container of the alert are always there: screen readers read out what is put
    /// into them later.
    private var notices: HTML {
        var html: HTML = ""
        if state.isClosed { html += closing }
        if let notice = context.notice {
            html += "<p class=\"notice lines\" role=\"status\" dir=\"auto\">\(lines: notice)</p>\n"
        }
        let message = screen.message ?? ""
        html += "<p class=\"message\" role=\"status\" dir=\"auto\">\(message)</p>\n"
        return "\(html)<div class=\"alerts\" role=\"alert\">\(alert)</div>\n\(progress)"
    }

    private var closing: HTML {
        let reason = lines(state.error?.summary, "reason")
        return """
            <div class="notice closed" role="status"><p>This page is closed.</p>\(reason)\
            <p><a class="button" href="\(id: context.address)">Open it again</a></p></div>

            """
    }

    private var alert: HTML? {
        screen.alert.map { alert in
            """
            <section class="alert" aria-labelledby="alert"><h2 id="alert" dir="auto">\(alert.title)</h2>\
            \(lines(alert.message, "text"))\(buttons(alert.actions, isUrgent: true))</section>
            """
        }
    }

    private var progress: HTML? {
        if let progress = screen.progress {
            let value: HTML? = progress.fraction.map { " value=\"\(Int(($0 * 100).rounded(.down)))\"" }
            let text = progress.text ?? "Loading"
            return """
                <label class="progress"><bdi>\(text) …</bdi> <progress max="100"\(value)></progress></label>

                """
        }
        let bar: HTML = "<label class=\"progress\"><bdi>Loading …</bdi> <progress></progress></label>\n"
        return screen.isLoading ? bar : nil
    }

    private var empty: HTML? {
        let isEmpty = screen.sections.allSatisfy { $0.rows.isEmpty && $0.isKnown }
        if !isEmpty || screen.emptyText == nil && screen.emptyAction == nil { return nil }
        return """
            <div class="empty">\(lines(screen.emptyText, "text"))\(buttons(screen.emptyAction.map { [$0] } ?? []))</div>

            """
    }
}

extension ScreenPage {
    /// Returns a paragraph with several lines. Nil if there is no text.
    func lines(_ text: String?, _ name: HTML) -> HTML? {
        text.map { "<p class=\"\(name) lines\" dir=\"auto\">\(lines: $0)</p>\n" }
    }

    func image(_ image: Screen.Image, _ name: HTML) -> HTML {
        """
        <img class="\(name)" \
        src="/_window/\(context.window)/image?scene=\(state.scenes.last?.id ?? 0)&amp;path=\(image.path.percentEncoded)" \
        alt="\(image.alternative)" loading="lazy"/>
        """
    }
}

extension String {
    /// The text as a value in a URI (RFC 3986).
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
