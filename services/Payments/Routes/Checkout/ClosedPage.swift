import Authentication
import Hummingbird

/// What somebody sees who may not see the checkout page: that they have to open it from the app.
struct ClosedPage {
    private static let template = String(decoding: PackageResources.closed_html, as: UTF8.self)

    var response: Response {
        let nonce = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        return CheckoutPage.response(
            .unauthorized,
            Self.template.replacing("{{nonce}}", with: nonce),
            policy: """
                default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; \
                frame-ancestors 'none'
                """
        )
    }
}
