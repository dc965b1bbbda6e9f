import Logging
import ServiceHost

/// Auth: who somebody is.
///
/// **Owns** accounts of each app, passwords and social links, sessions with their families of refresh tokens, signing
/// keys, profiles and their pictures. **Tables** (schema `auth`): `accounts`, `passwords`, `social_links`, `account_tags`,
/// `sessions`, `signing_keys`, `audit_log`, `uploads`, and the outbox. **Publishes** `auth.account-registered`,
/// `auth.profile-changed`, `auth.account-withdrawn`, `auth.session-revoked`, `auth.push-token-received`,
/// `auth.new-device-signed-in`.
/// **Consumes** nothing. **Asks** Kakao and Apple about social tokens, and seats for the credit that SeatCatcher's
/// profile shows. **Answers** other processes below `/internal`: the public keys of access tokens (JWKS), refreshes on a
/// phone's behalf, and sessions that end (`AuthAPI`).
///
/// Every URL is in `Routes/Routes.swift`; `AuthService+build.swift` puts the pieces together.
@main
struct AuthService {
    static func main() async {
        await ServiceHost.run(
            "auth",
            read: { try AuthConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildAuth($0, logger: $1) }
        )
    }
}
