import Authentication
import Hummingbird
import NIOCore

/// The pay window as a browser gets it, in a frame or by itself. It runs nothing but its own script, and calls nobody but its own
/// house.
struct PortOneWindowPage {
    let payment: PortOnePayment
    private static let template = String(decoding: PackageResources.window_html, as: UTF8.self)

    init(_ payment: PortOnePayment) {
        self.payment = payment
    }

    var response: Response {
        // What the policy below lets run.
        let nonce = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        headers[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
            base-uri 'none'; form-action 'none'
            """
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text(nonce: nonce)))
        )
    }

    private func text(nonce: String) -> String {
        Self.template
            .replacing("{{nonce}}", with: nonce)
            .replacing("{{imp_uid}}", with: Self.escaped(payment.impUid))
            .replacing("{{status}}", with: payment.status.rawValue)
            .replacing("{{amount}}", with: Self.escaped(payment.amount.words(in: payment.currency)))
            .replacing("{{merchant_uid}}", with: Self.escaped(payment.merchantUid))
            .replacing("{{name}}", with: Self.escaped(payment.name ?? payment.merchantUid))
    }

    /// Text as HTML shows it, in an element or in a quoted attribute; braces too, since the template's places have them.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&", "<", ">", "\"", "'", "{", "}": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
