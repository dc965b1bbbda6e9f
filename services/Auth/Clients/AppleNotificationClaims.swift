import FoundationEssentials
import JWTKit

/// The claims of Apple's server-to-server notification. It has no `exp`: a late delivery is valid.
struct AppleNotificationClaims: JWTPayload {
    var iss: IssuerClaim
    var aud: AudienceClaim
    var jti: IDClaim
    /// JSON text of an `Event`.
    var events: String

    /// The kind of the event and its user.
    struct Event: Decodable {
        /// `consent-revoked`, `account-delete` (older: `account-deleted`), `email-disabled`, `email-enabled`.
        var type: String
        var sub: String

        var kind: ProviderWebhook.Kind? {
            switch type {
            case "consent-revoked": .unlinked
            case "account-delete", "account-deleted": .deleted
            default: nil
            }
        }
    }

    var event: Event? { try? JSONDecoder().decode(Event.self, from: Data(events.utf8)) }

    func verify(using algorithm: some JWTAlgorithm) throws {}
}
