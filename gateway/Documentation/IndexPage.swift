import Contracts

/// `GET /docs`: the apps, and the page for addresses that are none.
enum IndexPage {
    static let html = DocumentationFrame(
        title: "Apps",
        main: """
            <header class="intro"><h1>Madang API</h1>
            <p>One backend for five apps. Each app calls the gateway as it called its own server.</p>
            <p class="facts">All calls in one document: <a href="/openapi.json">OpenAPI 3.1</a>.</p></header>
            \(cards)
            """
    ).html

    static let unknown = DocumentationFrame(
        title: "Not found",
        main: """
            <header class="intro"><h1>Not found</h1><p>There is no such page. These are the apps:</p></header>
            \(cards)
            """
    ).html

    private static let cards: HTML = """
        <ul class="cards">\(App.allCases.map { app in
            """
            <li><a href="/docs/\(app.rawValue)"><b>\(app.title)</b><span>\(app.purpose)</span></a></li>
            """ as HTML
        })</ul>
        """
}
