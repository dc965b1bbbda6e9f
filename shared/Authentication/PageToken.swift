import Crypto
import FoundationEssentials

/// The token of a server-rendered web page, which the page sends with its requests (`X-Page-Token`). Only its hash is
/// stored.
package enum PageToken {
    /// 256 random bits, in base64url.
    package static func make() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// SHA-256; a random value of this size needs no slower hash.
    package static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}
