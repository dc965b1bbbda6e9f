import Logging
import ServiceKit

/// Auth: accounts, sign-in and sessions of all apps.
///
/// **Owns** the accounts of each app, passwords and social links, verified phone numbers, sessions with their refresh
/// token families, signing keys, profiles with their pictures, blocked numbers, and withdrawals of accounts.
///
/// **Tables** (schema `auth`): `accounts`, `passwords`, `social_links`, `spent_tokens`, `account_tags`, `moup_members`,
/// `companions`, `phone_codes`, `phone_proofs`, `pending_sign_ups`, `blocked_numbers`, `sessions`, `tickets`,
/// `uploads`, `signing_keys`, `withdrawals`, `withdrawal_steps`, `provider_notices`, `allowances` (rate limits),
/// `audit_log`; outbox and inbox. A comment on each table says what bounds it.
///
/// **Publishes** `auth.account-registered`, `auth.profile-changed`, `auth.account-withdrawn`, `auth.session-revoked`,
/// `auth.push-token-received` and `auth.new-device-signed-in`. **Consumes** the `account-erased` event of every other
/// service, which confirms that the service has erased a withdrawn account.
///
/// **Calls** Kakao, Apple and Google to verify identities and to end links, Solapi to send text messages, the seats
/// service for the credit in SeatCatcher's profile, and the community service for followers. **Answers** other
/// processes below `/internal`: public keys of access tokens (JWKS), token refreshes, revoked sessions, socket tickets,
/// profiles, and blockers of an account (`AuthAPI`).
///
/// Every URL is in `Routes/Routes.swift`; `AuthService+build.swift` assembles the service.
@main
struct AuthService {
    static func main() async {
        await ServiceHost.run(
            "auth",
            "accounts, sessions, signing keys and profiles of all apps",
            read: { try AuthConfiguration(&$0) },
            build: { try buildAuth($0, logger: $1) }
        )
    }
}
