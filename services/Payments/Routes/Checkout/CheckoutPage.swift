import AppWire
import Hummingbird
import ServiceHost

/// The checkout page as a browser gets it. It runs its own script and PortOne's, calls its own house and what PortOne's script
/// calls, is shown in no frame, and is kept nowhere.
struct CheckoutPage {
    let opening: CheckoutOpening
    let window: PayWindow
    /// The page's own address, to which PortOne's window sends phones back.
    let address: String
    /// The payment with which a phone comes back; nil when the page is opened.
    let impUID: String?
    private static let template = String(decoding: PackageResources.checkout_html, as: UTF8.self)

    init(_ opening: CheckoutOpening, window: PayWindow, address: String, impUID: String?) {
        self.opening = opening
        self.window = window
        self.address = address
        self.impUID = impUID
    }

    /// Every value stands in text or in an attribute, and none in the script.
    var response: Response {
        let (order, summary) = (opening.order, CheckoutSummary(opening.order))
        let facts = summary.facts.map { "<li>\(HTMLText.escaped($0))</li>" }.joined()
        let text = WebPage(
            Self.template.replacing("{{facts}}", with: facts),
            [
                "title": summary.title, "price": summary.price, "order": order.code, "token": opening.token,
                "amount": "\(order.amount)", "buyer": opening.buyer, "store": window.store,
                "provider": window.provider, "script": window.script, "address": address, "payment": impUID ?? "",
                "now": SeSACInstant(opening.now).text, "end": SeSACInstant(order.heldUntil).text,
            ]
        )
        return text.response(policy: policy(nonce: text.nonce))
    }

    private func policy(nonce: String) -> String {
        let script = PayWindow.origin(of: window.script) ?? ""
        let outside = window.origins.joined(separator: " ")
        // PortOne's script gives the frame that it makes its place by style attributes.
        return """
            default-src 'none'; script-src 'nonce-\(nonce)' \(script); style-src 'nonce-\(nonce)'; \
            style-src-attr 'unsafe-inline'; img-src \(outside); connect-src 'self' \(outside); frame-src \(outside); \
            form-action \(outside); base-uri 'none'; frame-ancestors 'none'
            """
    }
}
