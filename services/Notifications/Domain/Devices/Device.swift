import Contracts
import Crypto
import FoundationEssentials

/// A device with its push token, as registered by a session.
struct Device: Sendable, Equatable {
    var app: App
    var account: AccountID
    var session: String
    /// FCM's registration token.
    var token: String
    /// Time of the registration. When two accounts register the same token, the later one owns it.
    var since: Date

    /// SHA-256 of a token.
    static func digest(of token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}

/// A stored device. It has no owner after its release.
struct StoredDevice: Sendable, Equatable {
    var id: DeviceID
    var account: AccountID?
    var session: String?
    var digest: [UInt8]
    var since: Date
}
