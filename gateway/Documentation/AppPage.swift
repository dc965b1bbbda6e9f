import Apps
import Contracts

/// `GET /docs/{app}`: the app's operations, as read from its API document.
struct AppPage {
    let app: App
    let document: JSONValue
    /// The services of the app's calls of which the document is missing.
    let missing: [ServiceName]
    let tryIt: TryIt?

    var html: HTML {
        let components = Components(document: document)
        let examples = Examples.of(app)
        let groups = Dictionary(grouping: APIOperation.all(in: document), by: \.resource)
            .sorted { (Self.isOfOthers($0.key) ? 1 : 0, $0.key) < (Self.isOfOthers($1.key) ? 1 : 0, $1.key) }
        let sections = groups.map { resource, operations in
            let parts = operations.map { operation in
                OperationMarkup(
                    operation: operation,
                    components: components,
                    example: examples[operation.key],
                    canTry: tryIt != nil
                ).html
            }
            return "<section id=\"resource-\(resource)\"><h2>\(resource)</h2>\n\(parts)</section>\n" as HTML
        }
        let session: HTML? = tryIt.map { " data-session=\"\(JSONMarkup.text($0.session(of: app)))\"" }
        return DocumentationFrame(
            title: app.title,
            current: app,
            scripts: ["filter.js"] + (tryIt == nil ? [] : ["try.js"]),
            side: navigation(groups),
            main: """
                <header class="intro"><h1>\(app.title)</h1><p>\(app.purpose)</p>
                <p class="facts">\(groups.reduce(0) { $0 + $1.value.count }) operations, as \
                <a href="/openapi.json?app=\(app.rawValue)">OpenAPI 3.1</a>. Examples are recorded from the tests.</p></header>
                \(notice)\(sockets)<section id="session" class="session"\(session) hidden></section>
                <p id="nothing" class="notice" hidden>No operation fits the filter.</p>
                \(sections)\(errors(components))
                """
        ).html
    }

    /// Whether an app's users do not call a resource: it is the operators' or for other systems, and comes last.
    private static func isOfOthers(_ resource: String) -> Bool { resource == "admin" || resource == "notices" }

    private func navigation(_ groups: [(key: String, value: [APIOperation])]) -> HTML {
        let parts = groups.map { resource, operations in
            let items = operations.map { operation in
                """
                <li><a href="#\(operation.name)" title="\(operation.key)"><span>\(operation.title)</span> \
                <span class="method \(operation.method.lowercased())">\(operation.method)</span></a></li>
                """ as HTML
            }
            return "<h2><a href=\"#resource-\(resource)\">\(resource)</a></h2><ul>\(items)</ul>\n" as HTML
        }
        return """
            <p class="filter" hidden><label for="filter">Filter</label>\
            <input id="filter" type="search" placeholder="name, path or text" autocomplete="off" spellcheck="false"></p>
            \(parts)
            """
    }

    /// Names the operations of services that do not answer.
    private var notice: HTML? {
        guard !missing.isEmpty else { return nil }
        let lines = missing.map { service in
            let names = operations.filter { $0.operation.service == service }.map(\.name)
            return "<li><b>\(service.rawValue)</b>: \(names.joined(separator: ", "))</li>" as HTML
        }
        return """
            <div class="notice" role="status"><p>Some services do not run, and their operations are missing here:</p>
            <ul>\(lines)</ul></div>

            """
    }

    private var operations: [(name: String, operation: Operation)] {
        AppCatalogues.all.filter { $0.app == app }.flatMap { $0.operations }.filter { !$0.operation.isWebSocket }
    }

    /// OpenAPI cannot describe WebSockets; the app's contract does.
    private var sockets: HTML? {
        let paths = AppCatalogues.all.filter { $0.app == app }.flatMap { $0.operations }.map(\.operation)
            .filter(\.isWebSocket).map { "<li><code>\($0.path)</code></li>" as HTML }
        guard !paths.isEmpty else { return nil }
        return "<div class=\"sockets\"><p>WebSockets, which the app's contract describes:</p><ul>\(paths)</ul></div>\n"
    }

    /// The schemas of errors, to which all operations refer.
    private func errors(_ components: Components) -> HTML? {
        let responses = APIOperation.all(in: document).flatMap(\.responses).filter { $0.status >= "4" }.map(\.response)
        let schemas = responses.flatMap { Components.contents(components.resolved($0)) }.map(\.schema)
        let named = Dictionary(schemas.compactMap { schema in Components.name(schema).map { ($0, schema) } }) { $1 }
        guard !named.isEmpty else { return nil }
        let parts = named.sorted { $0.key < $1.key }.map { name, schema in
            """
            <article class="operation schema" id="schema-\(name)"><div class="about"><h3>\(name)</h3>\
            \(SchemaTable(components: components).html(schema, media: "application/json"))</div></article>

            """ as HTML
        }
        return "<section id=\"errors\"><h2>errors</h2>\n\(parts)</section>"
    }
}
