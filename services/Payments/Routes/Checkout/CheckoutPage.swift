import Apps
import Hummingbird
import ServiceKit

/// The checkout page. Its policy allows its own script and PortOne's, requests to its own origin and to PortOne's, and
/// forbids framing; the response is not cached.
struct CheckoutPage {
    let opening: CheckoutOpening
    let window: PaymentWindow
    /// URL of the page, to which PortOne's window redirects mobile browsers.
    let address: String
    /// The payment of a redirect from PortOne's window; nil when the page is opened.
    let impUID: ImpUID?
    private static let template = String(decoding: PackageResources.checkout_html, as: UTF8.self)

    init(_ opening: CheckoutOpening, window: PaymentWindow, address: String, impUID: ImpUID?) {
        self.opening = opening
        self.window = window
        self.address = address
        self.impUID = impUID
    }

    /// All values are escaped and inserted into text or attributes, never into the script.
    var response: Response {
        let (order, summary) = (opening.order, CheckoutSummary(opening.order))
        let facts = summary.facts.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
        let text = WebPage(
            Self.template.replacing("{{facts}}", with: facts),
            [
                "title": summary.title, "price": summary.price, "order": order.code, "token": opening.token,
                "amount": "\(order.amount)", "buyer": opening.buyer, "store": window.store,
                "provider": window.provider, "script": window.script, "address": address,
                "payment": impUID?.rawValue ?? "",
                "now": SeSACInstant(opening.now).text, "end": SeSACInstant(order.heldUntil).text,
            ]
        )
        return text.response(policy: policy(nonce: text.nonce))
    }

    private func policy(nonce: String) -> String {
        let script = PaymentWindow.origin(of: window.script) ?? ""
        let outside = window.origins.joined(separator: " ")
        // PortOne's script positions its frame with style attributes.
        return """
            default-src 'none'; script-src 'nonce-\(nonce)' \(script); style-src 'nonce-\(nonce)'; \
            style-src-attr 'unsafe-inline'; img-src \(outside); connect-src 'self' \(outside); frame-src \(outside); \
            form-action \(outside); base-uri 'none'; frame-ancestors 'none'
            """
    }
}
