import Hummingbird
import ServiceKit

/// The page for callers without access to a checkout page: it asks them to open it from the app.
struct ClosedPage {
    private static let template = String(decoding: PackageResources.closed_html, as: UTF8.self)

    var response: Response {
        let text = WebPage(Self.template)
        return text.response(
            .unauthorized,
            policy: """
                default-src 'none'; style-src 'nonce-\(text.nonce)'; base-uri 'none'; form-action 'none'; \
                frame-ancestors 'none'
                """
        )
    }
}
