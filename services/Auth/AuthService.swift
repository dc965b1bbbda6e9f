import Logging
import ServiceHost

/// Auth: who somebody is.
///
/// **Owns** accounts of each app, passwords and social links, phones that were proved, sessions with their families of
/// refresh tokens, signing keys, profiles with their pictures, blocked numbers, and how people leave. **Tables** (schema
/// `auth`): `accounts`, `passwords`, `social_links`, `spent_tokens`, `account_tags`, `moup_members`, `companions`,
/// `phone_codes`, `phone_proofs`, `pending_sign_ups`, `blocked_numbers`, `sessions`, `tickets`, `uploads`, `signing_keys`,
/// `withdrawals` with their steps, `provider_notices`, `allowances`, `audit_log`, outbox and inbox. **Publishes**
/// `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn`, `auth.session-revoked`,
/// `auth.push-token-received`, `auth.new-device-signed-in`. **Consumes** the reports of services that have let go of who
/// left. **Asks** Kakao, Apple and Google whom they vouch for, hands text messages to Solapi, asks seats for the credit
/// that SeatCatcher's profile shows and community whom somebody follows. **Answers** other processes below `/internal`:
/// the public keys of access tokens (JWKS), refreshes on a phone's behalf, sessions that end, tickets of sockets, and who
/// has blocked whom (`AuthAPI`).
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
