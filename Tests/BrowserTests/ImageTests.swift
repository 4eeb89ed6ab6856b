import HostDriver
import Testing
import ViperKit

extension BrowserTests {
    /// Images from the resources of modules.
    struct ImageTests {
        @Test("Images are shown, and an image that is missing leaves its alternative text")
        func images() async throws {
            var screen = Screen(title: "Images")
            screen.image = Screen.Image(path: "logo.svg", alternative: "The logo")
            let rows = ["logo.svg", "missing.svg"].map { path in
                var row = Row(id: path, title: path)
                row.image = Screen.Image(path: path, alternative: "Picture of \(path)")
                return row
            }
            screen.sections = [Section(rows: rows)]
            let web = try await WebHost { [screen] in try await GalleryModule.add([("images", screen)], to: $0) }
            try await Browser.run { browser in
                try await browser.go("\(web.url)/gallery/images")
                let images = "[...document.images]"
                try await browser.wait(
                    "images are still read",
                    for: "document.images.length === 3 && \(images).every((image) => image.complete)")
                let shown = "\(images).map((image) => `${image.alt}: ${image.naturalWidth > 0}`).join()"
                #expect(
                    try await browser.text(shown)
                        == "The logo: true,Picture of logo.svg: true,Picture of missing.svg: false")
            }
        }
    }
}
