import Authentication
package import Hummingbird
import NIOCore

/// A page of ours as a browser gets it. It is kept nowhere, and runs nothing that was not written into it (W3C, Content
/// Security Policy Level 3, nonces).
package struct WebPage {
    /// What the policy lets run: 128 random bits.
    package let nonce: String
    private let text: String

    /// - Parameters:
    ///   - template: HTML with places like `{{name}}`; `{{nonce}}` is for elements that may run.
    ///   - values: what stands in the places, as text: never as HTML, and never in a script.
    package init(_ template: String, _ values: [String: String] = [:]) {
        let nonce = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        self.nonce = nonce
        text = values.reduce(template.replacing("{{nonce}}", with: nonce)) { text, value in
            text.replacing("{{\(value.key)}}", with: HTMLText.escaped(value.value))
        }
    }

    /// - Parameter policy: what the page may do (`Content-Security-Policy`).
    package func response(_ status: HTTPResponse.Status = .ok, policy: String) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        headers[.contentSecurityPolicy] = policy
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Text that is put into a page.
package enum HTMLText {
    /// A text as HTML shows it, in an element or in a quoted attribute. Braces as well, since a template's places have them:
    /// so no text can name one. NUL, which HTML cannot have, becomes U+FFFD.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&", "<", ">", "\"", "'", "`", "{", "}": result += "&#\(scalar.value);"
            case "\0": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
