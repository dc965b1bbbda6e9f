import Contracts
import Crypto
import FoundationEssentials

/// A phone that can be reached, as the session in it has said.
struct Device: Sendable, Equatable {
    var app: App
    var account: Int64
    var session: String
    /// What FCM calls the app on the phone.
    var token: String
    /// When the phone gave the token. Of two accounts that give the same token, the later has the phone.
    var since: Date

    /// SHA-256 of a token.
    static func digest(of token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}

/// A device as it is stored: nobody's when its last owner has let go of it.
struct StoredDevice: Sendable, Equatable {
    var id: Int64
    var account: Int64?
    var session: String?
    var digest: [UInt8]
    var since: Date
}
