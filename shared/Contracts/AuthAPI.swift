/// What the auth service answers other processes.
package enum AuthAPI {
    /// `POST /internal/sessions/refresh`: a gateway refreshes on a phone's behalf. Idempotent for as long as the answer
    /// may still be on its way: a repeated call gets the same tokens.
    package struct Refresh: Codable, Sendable, Equatable {
        package static let path = "/internal/sessions/refresh"

        package var app: App
        package var refreshToken: String
        /// The phone's.
        package var address: String?
        package var userAgent: String?

        package init(app: App, refreshToken: String, address: String?, userAgent: String?) {
            self.app = app
            self.refreshToken = refreshToken
            self.address = address
            self.userAgent = userAgent
        }
    }

    /// The answer to `Refresh`, 200: tokens or a refusal, never both.
    package struct Refreshed: Codable, Sendable, Equatable {
        package struct Tokens: Codable, Sendable, Equatable {
            package var accessToken: String
            package var refreshToken: String
            package var session: String
            /// When the refresh token ends, in seconds since 1970.
            package var refreshExpiresAt: Int64

            package init(accessToken: String, refreshToken: String, session: String, refreshExpiresAt: Int64) {
                self.accessToken = accessToken
                self.refreshToken = refreshToken
                self.session = session
                self.refreshExpiresAt = refreshExpiresAt
            }
        }

        /// Why there are no tokens.
        package enum Refusal: String, Codable, Sendable {
            /// Not a token of ours, or its session has ended.
            case invalid
            case expired
            /// Its owner has asked to leave, and may still come back.
            case leaving
            /// Its owner has left.
            case gone
        }

        package var tokens: Tokens?
        package var refusal: Refusal?

        package init(tokens: Tokens) {
            self.tokens = tokens
        }

        package init(refusal: Refusal) {
            self.refusal = refusal
        }
    }

    /// `POST /internal/sessions/uses`: access tokens that a gateway saw for the first time, by session and generation.
    package struct Uses: Codable, Sendable, Equatable {
        package static let path = "/internal/sessions/uses"

        package struct Use: Codable, Sendable, Equatable, Hashable {
            package var session: String
            package var generation: Int

            package init(session: String, generation: Int) {
                self.session = session
                self.generation = generation
            }
        }

        package var uses: [Use]

        package init(uses: [Use]) {
            self.uses = uses
        }
    }

    /// `GET /internal/tickets/TICKET`: whose ticket somebody shows who opens With Suhyeon's socket. 404 for a number that
    /// is none, and when its session has ended.
    package struct Ticket: Codable, Sendable, Equatable {
        package static func path(_ ticket: Int64) -> String { "/internal/tickets/\(ticket)" }

        package var account: Int64
        package var session: String

        package init(account: Int64, session: String) {
            self.account = account
            self.session = session
        }
    }

    /// `GET /internal/accounts/ACCOUNT/blockers`: who has blocked the present phone number of one of With Suhyeon's
    /// people, in the order of their ids.
    package struct Blockers: Codable, Sendable, Equatable {
        package static func path(_ account: Int64) -> String { "/internal/accounts/\(account)/blockers" }

        package var accounts: [Int64]

        package init(accounts: [Int64]) {
            self.accounts = accounts
        }
    }

    /// `GET /internal/revocations?after=NUMBER&wait=SECONDS`: sessions that ended before their access tokens did, in the
    /// order of their numbers. Waits for the next one when there is none.
    package struct Revocations: Codable, Sendable, Equatable {
        package static func path(after number: Int64, wait seconds: Int) -> String {
            "/internal/revocations?after=\(number)&wait=\(seconds)"
        }

        package struct Revocation: Codable, Sendable, Equatable {
            package var session: String
            package var cause: Cause
            /// When the last access token of the session is past its time, without leeway, in seconds since 1970.
            package var until: Int64

            package init(session: String, cause: Cause, until: Int64) {
                self.session = session
                self.cause = cause
                self.until = until
            }
        }

        /// What a phone is told that still shows a token.
        package enum Cause: String, Codable, Sendable {
            case ended
            /// Its owner has asked to leave, and may still come back.
            case leaving
            case withdrawn
        }

        package var revocations: [Revocation]
        /// What to ask for next.
        package var last: Int64

        package init(revocations: [Revocation], last: Int64) {
            self.revocations = revocations
            self.last = last
        }
    }

    /// `GET /internal/members/{account}`: somebody of MOUP as others see them; 404 for who is not there, or has left.
    package struct Member: Codable, Sendable, Equatable {
        package static func path(_ account: Int64) -> String { "/internal/members/\(account)" }

        /// Empty until registration.
        package var nickname: String
        package var image: String?
        /// `ROLE_WORKER`, `ROLE_OWNER` or `ROLE_ADMIN`; nil until registration.
        package var role: String?

        package init(nickname: String, image: String?, role: String?) {
            self.nickname = nickname
            self.image = image
            self.role = role
        }
    }

    /// `GET /internal/people/{publicID}?app=APP`: whose public id it is; 404 for nobody's, and for who has left.
    package struct Somebody: Codable, Sendable, Equatable {
        package static func path(_ publicID: String, of app: App) -> String {
            "/internal/people/\(publicID)?app=\(app.rawValue)"
        }

        package var account: Int64

        package init(account: Int64) {
            self.account = account
        }
    }

    /// `GET /internal/profiles/{account}`: somebody of any app as others see them; 404 for who is not there, or has left.
    package struct Profile: Codable, Sendable, Equatable {
        package static func path(_ account: Int64) -> String { "/internal/profiles/\(account)" }

        package var app: App
        /// 24 hexadecimal digits.
        package var publicID: String
        package var nickname: String
        package var image: String?
        package var introduction: String?
        /// The key of With Suhyeon's `Region`.
        package var region: String?

        package init(
            app: App,
            publicID: String,
            nickname: String,
            image: String?,
            introduction: String?,
            region: String? = nil
        ) {
            self.app = app
            self.publicID = publicID
            self.nickname = nickname
            self.image = image
            self.introduction = introduction
            self.region = region
        }
    }
}
