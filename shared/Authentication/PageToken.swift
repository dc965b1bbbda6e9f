import Crypto
import FoundationEssentials

/// The token of a web page of ours, which the page shows with its calls (`X-Page-Token`). Only its hash is stored.
package enum PageToken {
    /// 256 random bits, in base64url.
    package static func make() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// SHA-256; what has so many random bits needs no slower one.
    package static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}
