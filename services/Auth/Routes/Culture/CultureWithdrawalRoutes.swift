import AppWire
import Contracts
import HTTPTypes
import Hummingbird
import ServiceHost

/// How a Seoul Culture user leaves (contract 2, call 4; 6).
///
/// The client's call is a `GET`, which link previews, caches and retries send as well: so it is refused to whoever says that
/// it fetches ahead, and to sessions that have not shown their refresh token, or signed in, for half an hour. New clients
/// have `POST` and `DELETE /v1/users/me`.
struct CultureWithdrawalRoutes {
    let profiles: Profiles
    let sessions: Sessions
    let withdrawal: Withdrawal

    /// Seconds.
    private static let freshness = 30 * 60

    /// `GET /v1/users/withdraw` → 200 with who has left.
    func withdrawByGet(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard !Self.isAhead(request.headers) else {
            throw Problem(.forbidden, message: "Leaving is not something to fetch ahead.")
        }
        guard try await sessions.isFresh(context.session, within: Self.freshness) else {
            throw Problem(.forbidden, message: "Sign in again before you leave.")
        }
        return try await withdraw(request, context)
    }

    /// `POST` and `DELETE /v1/users/me` → 200 with who has left.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await profiles.profile(of: context.account).account
        try await withdrawal.request(account.id, app: context.app, origin: Origin(request, context))
        var response = try Response.json(CultureAccountRoutes.AccountResponse(account))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Browsers say it as `Sec-Purpose: prefetch;prerender`, older ones as `Purpose` or `X-Moz`.
    private static func isAhead(_ headers: HTTPFields) -> Bool {
        ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].compactMap { HTTPField.Name($0) }.contains { name in
            let value = headers[name]?.lowercased() ?? ""
            return ["prefetch", "prerender", "preview"].contains { value.contains($0) }
        }
    }
}
