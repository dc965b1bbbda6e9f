/// The auth service's API for other processes.
package enum AuthAPI {
    /// `POST /internal/sessions/refresh`: a gateway refreshes tokens on behalf of a client. A repeated call returns the
    /// same tokens for as long as the first response may still be in transit.
    package struct Refresh: Codable, Sendable, Equatable {
        package static let path = "/internal/sessions/refresh"

        package var app: App
        package var refreshToken: String
        /// The client's address.
        package var address: String?
        package var userAgent: String?

        package init(app: App, refreshToken: String, address: String?, userAgent: String?) {
            self.app = app
            self.refreshToken = refreshToken
            self.address = address
            self.userAgent = userAgent
        }
    }

    /// The 200 response to `Refresh`: tokens or a refusal, never both.
    package struct Refreshed: Codable, Sendable, Equatable {
        package struct Tokens: Codable, Sendable, Equatable {
            package var accessToken: String
            package var refreshToken: String
            package var session: String
            /// The expiry of the refresh token, in seconds since 1970.
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
            /// The token is invalid, or its session has ended.
            case invalid
            case expired
            /// The user has requested withdrawal and may still cancel it.
            case leaving
            /// The account has been withdrawn.
            case gone
        }

        package var tokens: Tokens?
        package var refusal: Refusal?
        /// The session that the refused request has ended; nil in most cases.
        package var ended: Revocations.Revocation?

        package init(tokens: Tokens) {
            self.tokens = tokens
        }

        package init(refusal: Refusal, ended: Revocations.Revocation? = nil) {
            self.refusal = refusal
            self.ended = ended
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

    /// `GET /internal/tickets/TICKET`: the account of a ticket that a client presents to open With Suhyeon's socket.
    /// 404 for an unknown ticket, and if its session has ended.
    package struct Ticket: Codable, Sendable, Equatable {
        package static func path(_ ticket: TicketID) -> String { "/internal/tickets/\(ticket)" }

        package var account: AccountID
        package var session: String

        package init(account: AccountID, session: String) {
            self.account = account
            self.session = session
        }
    }

    /// `GET /internal/accounts/ACCOUNT/blockers`: the accounts that have blocked the current phone number of a With
    /// Suhyeon user, ordered by id.
    package struct Blockers: Codable, Sendable, Equatable {
        package static func path(_ account: AccountID) -> String { "/internal/accounts/\(account)/blockers" }

        package var accounts: [AccountID]

        package init(accounts: [AccountID]) {
            self.accounts = accounts
        }
    }

    /// `GET /internal/revocations?after=NUMBER&wait=SECONDS`: sessions that ended before their access tokens expired,
    /// ordered by number. Waits for the next one if there is none.
    package struct Revocations: Codable, Sendable, Equatable {
        /// The header field of a response of auth that has ended sessions; see `text(of:)`. The gateway that passes it on
        /// refuses the sessions' tokens before the client has read the response.
        package static let field = "x-madang-session"
        /// How many sessions a field names at most; gateways learn of others as of those that end without a request.
        private static let fieldLimit = 50

        /// The value of the field: the texts of revocations, separated by commas.
        package static func text(of revocations: some Collection<Revocation>) -> String {
            revocations.prefix(fieldLimit).map(\.text).joined(separator: ",")
        }

        /// - Parameter text: As `text(of:)`; what is none is left out.
        package static func revocations(text: String) -> [Revocation] {
            text.split(separator: ",").compactMap { Revocation(text: String($0)) }
        }

        package static func path(after number: Int64, wait seconds: Int) -> String {
            "/internal/revocations?after=\(number)&wait=\(seconds)"
        }

        package struct Revocation: Codable, Sendable, Equatable {
            package var session: String
            package var cause: Cause
            /// The expiry of the session's last access token, without leeway, in seconds since 1970.
            package var until: Int64

            package init(session: String, cause: Cause, until: Int64) {
                self.session = session
                self.cause = cause
                self.until = until
            }

            /// `CAUSE SESSION UNTIL`.
            fileprivate var text: String { "\(cause.rawValue) \(session) \(until)" }

            /// - Parameter text: As `text`; nil for anything else.
            fileprivate init?(text: String) {
                let parts = text.split(separator: " ")
                guard parts.count == 3, let cause = Cause(rawValue: String(parts[0])), let until = Int64(parts[2])
                else { return nil }
                self.init(session: String(parts[1]), cause: cause, until: until)
            }
        }

        /// The cause, which determines the response to a client that still presents a token.
        package enum Cause: String, Codable, Sendable {
            case ended
            /// The user has requested withdrawal and may still cancel it.
            case leaving
            case withdrawn
        }

        package var revocations: [Revocation]
        /// The number to pass as `after` in the next call.
        package var last: Int64

        package init(revocations: [Revocation], last: Int64) {
            self.revocations = revocations
            self.last = last
        }
    }

    /// `GET /internal/members/{account}`: the public profile of a MOUP user; 404 for an unknown or withdrawn account.
    package struct Member: Codable, Sendable, Equatable {
        package static func path(_ account: AccountID) -> String { "/internal/members/\(account)" }

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

    /// `GET /internal/people/{publicID}?app=APP`: the account of a public id; 404 for an unknown id or a withdrawn
    /// account.
    package struct AccountLookup: Codable, Sendable, Equatable {
        package static func path(_ publicID: PublicID, of app: App) -> String {
            "/internal/people/\(publicID)?app=\(app.rawValue)"
        }

        package var account: AccountID

        package init(account: AccountID) {
            self.account = account
        }
    }

    /// `GET /internal/profiles/{account}`: the public profile of a user of any app; 404 for an unknown or withdrawn
    /// account.
    package struct Profile: Codable, Sendable, Equatable {
        package static func path(_ account: AccountID) -> String { "/internal/profiles/\(account)" }

        package var app: App
        package var publicID: PublicID
        package var nickname: String
        package var image: String?
        package var introduction: String?
        /// The key of With Suhyeon's `Region`.
        package var region: String?

        package init(
            app: App,
            publicID: PublicID,
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
