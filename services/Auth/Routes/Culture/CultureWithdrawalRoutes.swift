import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Withdrawal of a Seoul Culture account (contract 2, call 4; 6).
///
/// The client's call is a `GET`, which link previews, caches and retries may also send. It is therefore refused for
/// prefetch requests, and for sessions without a sign-in or refresh in the last half hour. New clients use `POST` or
/// `DELETE /v1/users/me`.
struct CultureWithdrawalRoutes {
    let profiles: Profiles
    let sessions: Sessions
    let withdrawal: Withdrawal

    /// Seconds.
    private static let freshness = 30 * 60

    /// `GET /v1/users/withdraw` → 200 with the withdrawn account.
    func withdrawByGet(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard !Self.isAhead(request.headers) else {
            throw Problem(.forbidden, message: "Leaving is not something to fetch ahead.")
        }
        guard try await sessions.isFresh(context.session, within: Self.freshness) else {
            throw Problem(.forbidden, message: "Sign in again before you leave.")
        }
        return try await withdraw(request, context)
    }

    /// `POST` and `DELETE /v1/users/me` → 200 with the withdrawn account.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await profiles.profile(of: context.account).account
        let leaving = try await withdrawal.request(account.id, app: context.app, origin: Origin(request, context))
        var response = try Response.json(CultureAccountRoutes.AccountResponse(account))
        response.headers[.cacheControl] = "no-store"
        return response.ending(leaving.ended)
    }

    /// Browsers send `Sec-Purpose: prefetch;prerender`, older ones `Purpose` or `X-Moz`.
    private static func isAhead(_ headers: HTTPFields) -> Bool {
        ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].compactMap { HTTPField.Name($0) }.contains { name in
            let value = headers[name]?.lowercased() ?? ""
            return ["prefetch", "prerender", "preview"].contains { value.contains($0) }
        }
    }
}
