import Apps
import Authentication
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Profiles
import ServiceKit

/// The checkout page of an order, and its requests (Anlaka contract 4.7).
struct CheckoutRoutes {
    let checkout: Checkout
    let window: PaymentWindow
    /// The gateway's public URL.
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
        /// Deadline of the payment; absent when the order cannot be paid.
        var expiresAt: SeSACInstant?

        enum CodingKeys: String, CodingKey {
            case state, message
            case expiresAt = "expires_at"
        }
    }

    /// `GET /v1/payments/checkout/{order_code}` → 200 with the page, for the signed-in user of the order, or with the
    /// page's cookie, as after a redirect from PortOne's window (`?imp_uid=…`). 401, as a page, for other callers; 404
    /// for an unknown order, 445 for another user's.
    func page(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let code = try context.parameters.require("orderCode")
        guard let opening = try await opening(of: code, request, context) else { return ClosedPage().response }
        let page = CheckoutPage(
            opening,
            window: window,
            address: "\(publicURL)\(Self.path)\(code)",
            impUID: request.query("imp_uid").flatMap(ImpUID.init(rawValue:))
        )
        var response = page.response
        response.setCookie(cookie(opening))
        return response
    }

    /// `POST /v1/payments/checkout/{order_code}/result` `{imp_uid?}` with `X-Page-Token` → 200 with the order's state;
    /// 400 for an unknown payment, 401 for an expired page, 409 for a payment of another order, 445 for another user's.
    func result(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let code = try context.parameters.require("orderCode")
        guard let token = request.headers[.pageToken] else { throw PaymentsError.pageUnknown }
        let body = try await request.jsonIfAny(ResultRequest.self, context)
        let state = try await checkout.result(code, page: token, of: body?.impUID.map { try ImpUID(parsing: $0) })
        return try .json(
            ResultResponse(
                state: state.name,
                message: state.message,
                expiresAt: state.payableUntil.map(SeSACInstant.init)
            )
        )
    }

    // MARK: Access

    private static let path = "/v1/payments/checkout/"

    /// nil when the caller has no access to the page.
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

    /// Lax, since PortOne's window returns by a navigation from another site.
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

    /// One cookie per order, so that two open pages do not replace each other's.
    private static func cookieName(_ code: String) -> String { "checkout-\(code)" }
}
