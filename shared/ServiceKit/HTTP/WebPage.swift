import Authentication
package import Hummingbird
import NIOCore

/// A server-rendered web page. It is never cached and runs only scripts that carry the page's nonce (W3C, Content
/// Security Policy Level 3, nonces).
package struct WebPage {
    /// The nonce of the policy: 128 random bits.
    package let nonce: String
    private let text: String

    /// - Parameters:
    ///   - template: HTML with placeholders such as `{{name}}`; `{{nonce}}` marks the elements that may run.
    ///   - values: The values of the placeholders. They are escaped as text, and must not be placed in a script.
    package init(_ template: String, _ values: [String: String] = [:]) {
        let nonce = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        self.nonce = nonce
        text = values.reduce(template.replacing("{{nonce}}", with: nonce)) { text, value in
            text.replacing("{{\(value.key)}}", with: HTMLText.escaped(value.value))
        }
    }

    /// - Parameter policy: The page's `Content-Security-Policy`.
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

/// Escaping of text in HTML.
package enum HTMLText {
    /// Escapes a text for an element or a quoted attribute. Braces are escaped as well, so that no value can contain a
    /// placeholder. NUL, which HTML does not allow, becomes U+FFFD.
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
