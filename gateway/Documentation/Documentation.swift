import Apps
import Contracts
import FoundationEssentials
import NIOCore
import ServiceKit

/// The API documents and the pages made of them, for one set of documents of the services.
struct Documentation: Sendable {
    /// By path below `/docs`; the index at the empty path.
    private let pages: [String: LocalResponse]
    /// By app; the document of all apps at nil.
    private let documents: [App?: LocalResponse]
    private let unknown: LocalResponse

    /// - Parameter tryIt: nil for pages that send no calls. With it, `APP.session.json` says how the app's calls are sent, and
    ///   `APP.examples.json` has calls that tests have recorded; the console sends calls by these.
    init(_ services: [ServiceName: JSONValue], tryIt: TryIt?) {
        var documents: [App?: LocalResponse] = [nil: .document(APIDocument(services).json)]
        var pages = Self.assets(tryIt)
        for app in App.allCases {
            let document = APIDocument(services, of: app).json
            documents[app] = .document(document)
            let missing = Self.services(of: app).filter { services[$0] == nil }
            if let tryIt {
                pages["\(app.rawValue).session.json"] = .document(tryIt.session(of: app))
                pages["\(app.rawValue).examples.json"] = .document(tryIt.calls(of: app))
            }
            pages[app.rawValue] = .page(AppPage(app: app, document: document, missing: missing, tryIt: tryIt).html)
        }
        pages[""] = .page(IndexPage.html)
        self.documents = documents
        self.pages = pages
        unknown = .missing(IndexPage.unknown)
    }

    /// The API document of an app; nil for that of all apps.
    func document(of app: App?) -> LocalResponse { documents[app] ?? unknown }

    /// - Parameter path: The path below `/docs`.
    func page(_ path: String) -> LocalResponse { pages[path] ?? unknown }

    /// The services that serve an app's calls.
    private static func services(of app: App) -> [ServiceName] {
        let operations = AppCatalogues.all.filter { $0.app == app }.flatMap { $0.operations.map(\.operation) }
        let used = Set(operations.filter { !$0.isWebSocket }.map(\.service))
        return ServiceName.ofApps.filter(used.contains)
    }

    private static func assets(_ tryIt: TryIt?) -> [String: LocalResponse] {
        var assets: [String: LocalResponse] = [
            "style.css": .asset(PackageResources.style_css, "text/css; charset=utf-8"),
            "filter.js": .asset(PackageResources.filter_js, "text/javascript; charset=utf-8"),
        ]
        if tryIt != nil { assets["try.js"] = .asset(PackageResources.try_js, "text/javascript; charset=utf-8") }
        return assets
    }
}

extension LocalResponse {
    fileprivate static func document(_ json: some Encodable) -> LocalResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return asset((try? encoder.encode(json)).map(Array.init) ?? [], "application/json")
    }

    /// A page that loads and calls nothing of other hosts, and runs no script but the gateway's own (W3C, Content Security
    /// Policy Level 3).
    fileprivate static func page(_ html: HTML) -> LocalResponse {
        var response = asset(Array(html.text.utf8), "text/html; charset=utf-8")
        response.headers += policy
        return response
    }

    /// A page for an address without one.
    fileprivate static func missing(_ html: HTML) -> LocalResponse {
        var response = LocalResponse(status: 404, reason: "Not Found", contentType: "text/html; charset=utf-8")
        response.headers = policy
        response.body = ByteBuffer(string: html.text)
        return response
    }

    private static let policy = """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
        img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n
        """

    fileprivate static func asset(_ content: [UInt8], _ type: String) -> LocalResponse {
        let body = ByteBuffer(bytes: content)
        var response = LocalResponse(status: 200, reason: "OK", contentType: type, body: body)
        response.entityTag = EntityTag(of: body)
        response.compressed = GzipEncoder(level: 6)?.encode(body)
        response.headers = "Cache-Control: no-cache\r\n"
        return response
    }
}
