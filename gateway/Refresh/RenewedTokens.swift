import Contracts
import NIOCore

/// The header lines that return renewed tokens to the client. Every response whose request waited for the tokens
/// carries them.
///
/// They include `Cache-Control: no-store` instead of the service's own, so that no cache gives the tokens to other
/// clients (RFC 9111 §5.2.2.5).
struct RenewedTokens {
    let lines: ByteBuffer

    /// - Parameters:
    ///   - isInCookie: Whether the refresh token came in the cookie and is returned in it.
    ///   - isSecure: Whether the cookie is restricted to TLS.
    ///   - now: Seconds since 1970.
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
