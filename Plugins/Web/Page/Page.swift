import ViperKit

/// The pages that browsers get, as HTML. The functions are pure.
enum Page {
    /// Returns a whole document for a window.
    static func document(_ state: WindowState, _ context: PageContext) -> String {
        let screen = state.screen
        // Without a script, a page of work in progress reads itself again. A form would lose what is half typed.
        let isWaiting = (screen.isLoading || screen.progress != nil) && screen.form == nil && !state.isClosed
        let refresh: HTML? = isWaiting ? "<noscript><meta http-equiv=\"refresh\" content=\"2\"/></noscript>\n" : nil
        return document(title: screen.title, head: refresh, body: body(state, context)).text
    }

    /// Returns the part of the document that a change replaces, the element `main`.
    static func content(_ state: WindowState, _ context: PageContext) -> String {
        ScreenPage(state, context).html.text
    }

    /// Returns a document without a window, about an error.
    ///
    /// - Parameter status: The status code of the response.
    static func problem(_ title: String, _ text: String, status: Int) -> String {
        let content: HTML = """
            <main id="screen" class="problem" tabindex="-1">
            <p class="status">\(status)</p>
            <h1 dir="auto">\(title)</h1>
            <p class="lines" dir="auto">\(lines: text)</p>
            <p><a class="button" href="/">Go to the start</a></p>
            </main>

            """
        return document(title: title, head: nil, body: content).text
    }

    /// Returns a document that immediately leads to an address of this server.
    ///
    /// - Parameter target: A path and query.
    static func continuing(to target: String) -> String {
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"/><title>Continue</title>
            <meta http-equiv="refresh" content="0;url=\(id: target)"/></head>
            <body><p><a href="\(id: target)">Continue</a></p></body></html>

            """
        return html.text
    }

    /// Returns the number of bytes that were copied to create a page, for the test that it grows with the screen only.
    static func copiedBytes(_ state: WindowState, _ context: PageContext) -> Int {
        ScreenPage(state, context).html.copied
    }

    static func document(title: String, head: HTML?, body: HTML) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <title>\(title)</title>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <link rel="icon" href="/_web/icon.svg" type="image/svg+xml"/>
        <link rel="stylesheet" href="/_web/web.css"/>
        <script src="/_web/web.js" defer=""></script>
        \(head)</head>
        <body>
        \(body)</body>
        </html>

        """
    }

    /// The script shows the button for keys and the notice about a lost connection, and writes what has changed into the
    /// last paragraph, which screen readers read out.
    private static func body(_ state: WindowState, _ context: PageContext) -> HTML {
        """
        <header class="bar">
        <a class="home" href="/">Start</a>
        <button type="button" id="keys" class="quiet" aria-pressed="true" hidden="">Keyboard shortcuts</button>
        </header>
        \(ScreenPage(state, context).html)<p id="offline" class="offline" role="alert" hidden="" \
        data-lost="No connection. Your last action may not have been carried out."><span></span> \
        <a href="">Load the page again</a></p>
        <p id="live" class="unseen" role="status" data-changed="The page has changed." data-rows="rows"></p>

        """
    }
}
