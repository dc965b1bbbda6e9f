import Hummingbird
import ServiceKit

/// The web page of the payment window, in a frame or by itself. It runs only its own script, and calls only its own
/// origin.
struct PortOneWindowPage {
    let payment: PortOnePayment
    private static let template = String(decoding: PackageResources.window_html, as: UTF8.self)

    init(_ payment: PortOnePayment) {
        self.payment = payment
    }

    var response: Response {
        let text = WebPage(
            Self.template,
            [
                "imp_uid": payment.impUid, "status": payment.status.rawValue,
                "amount": payment.amount.words(in: payment.currency), "merchant_uid": payment.merchantUid,
                "name": payment.name ?? payment.merchantUid,
            ]
        )
        return text.response(
            policy: """
                default-src 'none'; script-src 'nonce-\(text.nonce)'; style-src 'nonce-\(text.nonce)'; \
                connect-src 'self'; base-uri 'none'; form-action 'none'
                """
        )
    }
}
