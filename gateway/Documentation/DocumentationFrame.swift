import Contracts

/// What all pages of the API have around their content.
struct DocumentationFrame {
    let title: String
    /// The app of the page; nil for a page about none.
    var current: App?
    /// The files of scripts.
    var scripts: [String] = []
    /// The navigation of the page; nil without one.
    var side: HTML?
    let main: HTML

    var html: HTML {
        let apps = App.allCases.map { app in
            let mark: HTML? = app == current ? " aria-current=\"page\"" : nil
            return "<a href=\"/docs/\(app.rawValue)\"\(mark)>\(app.title)</a>" as HTML
        }
        let navigation: HTML? = side.map {
            """
            <input class="opener" type="checkbox" id="opener" aria-label="Show the list of operations">
            <label class="opener" for="opener">Operations</label>
            <nav class="side" aria-label="Operations">\($0)</nav>
            """
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title) · Madang API</title>
            <link rel="icon" href="data:,">
            <link rel="stylesheet" href="/docs/style.css">
            \(scripts.map { "<script src=\"/docs/\($0)\" defer></script>\n" as HTML })</head>
            <body>
            <a class="skip" href="#main">Skip to the content</a>
            <header class="top"><a class="brand" href="/docs">Madang API</a>
            <nav class="apps" aria-label="Apps">\(apps)</nav></header>
            <div class="layout">
            \(navigation)
            <main id="main" tabindex="-1">
            \(main)
            </main>
            </div>
            </body>
            </html>

            """
    }
}
