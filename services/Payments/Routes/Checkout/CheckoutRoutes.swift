import AppWire
import Authentication
import FoundationEssentials
import HTTPTypes
import Hummingbird
import People
import ServiceHost

/// The page on which somebody pays for an order, and what it calls (Anlaka contract 4.7).
struct CheckoutRoutes {
    let checkout: Checkout
    let window: PayWindow
    /// The gateway, as phones reach it.
    let publicURL: String

    struct ResultRequest: Decodable {
        var impUID: String?

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
        }
    }

    struct ResultResponse: Encodable {
        var state: CheckoutState.Name
        /// In Korean.
        var message: String
        /// Until when it can be paid for; not there when it cannot be.
        var expiresAt: SeSACInstant?

        enum CodingKeys: String, CodingKey {
            case state, message
            case expiresAt = "expires_at"
        }
    }

    /// `GET /v1/payments/checkout/{order_code}` → 200 with the page: for whoever has ordered, signed in, or with the cookie that
    /// the page has set, as when PortOne's window sends a phone back (`?imp_uid=…`). 401, as a page, for everybody else; 404
    /// for no order, 445 for another's.
    func page(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let code = try context.parameters.require("orderCode")
        guard let opening = try await opening(of: code, request, context) else { return ClosedPage().response }
        let page = CheckoutPage(
            opening,
            window: window,
            address: "\(publicURL)\(Self.path)\(code)",
            impUID: request.query("imp_uid").flatMap { ImpUID.isOne($0) ? $0 : nil }
        )
        var response = page.response
        response.setCookie(cookie(opening))
        return response
    }

    /// `POST /v1/payments/checkout/{order_code}/result` `{imp_uid?}` with `X-Page-Token` → 200 with how the order stands; 400 for
    /// what is no payment, 401 for a page that is too old, 409 for a payment of another order, 445 for another's.
    func result(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let code = try context.parameters.require("orderCode")
        guard let token = request.headers[.pageToken] else { throw PaymentsError.pageUnknown }
        let body = try await request.jsonIfAny(ResultRequest.self, context)
        let state = try await checkout.result(code, page: token, of: body?.impUID)
        return try .json(
            ResultResponse(
                state: state.name,
                message: state.message,
                expiresAt: state.payableUntil.map(SeSACInstant.init)
            )
        )
    }

    // MARK: Who may see it

    private static let path = "/v1/payments/checkout/"

    /// nil for whoever may not see the page.
    private func opening(
        of code: String,
        _ request: Request,
        _ context: AppRequestContext
    ) async throws -> CheckoutOpening? {
        do {
            if let account = context.identity?.account { return try await checkout.open(code, by: account) }
            guard let token = request.cookies[Self.cookieName(code)]?.value else { return nil }
            return try await checkout.reopen(code, page: token)
        } catch is PersonUnknown {
            return nil
        } catch PaymentsError.pageUnknown {
            return nil
        }
    }

    /// Lax: PortOne's window comes back from another site, by a navigation.
    private func cookie(_ opening: CheckoutOpening) -> Cookie {
        Cookie(
            name: Self.cookieName(opening.order.code),
            value: opening.token,
            maxAge: Int(opening.tokenEnd.timeIntervalSince(opening.now)),
            path: Self.path,
            secure: publicURL.hasPrefix("https://"),
            httpOnly: true,
            sameSite: .lax
        )
    }

    /// A cookie of its own for each order, so that two pages do not take theirs from one another.
    private static func cookieName(_ code: String) -> String { "checkout-\(code)" }
}
