import Contracts
import NIOCore

/// The header lines that hand renewed tokens to the phone: on every answer whose request waited for them.
///
/// They also say that the answer is for nobody else, whatever the service says: a store between here and the phone must
/// not hand them to others (RFC 9111 §5.2.2.5).
struct RenewedTokens {
    let lines: ByteBuffer

    /// - Parameters:
    ///   - isInCookie: whether the refresh token came in the cookie, and is to be kept there.
    ///   - isSecure: whether the cookie is for connections with TLS only.
    ///   - now: seconds since 1970.
    init(_ tokens: AuthAPI.Refreshed.Tokens, isInCookie: Bool, isSecure: Bool, now: Int64) {
        var lines = ByteBuffer()
        lines.writeString(
            """
            X-Access-Token: \(tokens.accessToken)\r\nX-Refresh-Token: \(tokens.refreshToken)\r\n\
            Cache-Control: no-store\r\n
            """
        )
        if isInCookie {
            let age = max(0, tokens.refreshExpiresAt - now)
            lines.writeString(
                """
                Set-Cookie: \(CookieField.refreshToken)=\(tokens.refreshToken); Path=/; Max-Age=\(age); HttpOnly; \
                \(isSecure ? "Secure; " : "")SameSite=Lax\r\n
                """
            )
        }
        self.lines = lines
    }
}
