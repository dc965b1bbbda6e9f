import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Payments

extension PaymentsWorld {
    static func checkoutPath(_ code: String) -> String { "/v1/payments/checkout/\(code)" }

    /// Opens the checkout page of an order; its token.
    func openCheckout(_ code: String, by account: AccountID = 1) async throws -> String {
        let answer = try await client(account).send(.get, Self.checkoutPath(code))
        let token = try #require(answer.text.firstMatch(of: /data-token="([A-Za-z0-9_-]{43})"/)?.1, "\(answer.text)")
        return String(token)
    }

    /// Requests the page without a session, as a browser does that has only the cookie.
    func reopenCheckout(_ code: String, cookie: String?, query: String = "") async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie
        return try await ServiceClient(client, to: .payments, app: .anlaka).send(
            .get,
            Self.checkoutPath(code) + query,
            headers: headers
        )
    }

    /// Requests the result as the page does: with its token and without a session.
    func askResult(_ code: String, _ token: String?, json: String) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.pageToken] = token
        let path = Self.checkoutPath(code) + "/result"
        return try await ServiceClient(client, to: .payments, app: .anlaka).send(
            .post,
            path,
            json: json,
            headers: headers
        )
    }

    func result(_ code: String, _ token: String, of impUID: String? = nil) async throws -> CheckoutAnswer {
        let json = impUID.map { #"{"imp_uid":"\#($0)"}"# } ?? "{}"
        let answer = try await askResult(code, token, json: json)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }
}

/// The result of a checkout as the page decodes it.
struct CheckoutAnswer: Decodable, Equatable {
    var state: String
    var message: String
    var expiresAt: String?

    enum CodingKeys: String, CodingKey {
        case state, message
        case expiresAt = "expires_at"
    }
}
