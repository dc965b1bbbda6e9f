import Hummingbird
import ServiceHost

/// What somebody sees who may not see the checkout page: that they have to open it from the app.
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
