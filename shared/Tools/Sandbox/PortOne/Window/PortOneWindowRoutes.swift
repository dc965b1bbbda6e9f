import Hummingbird
import NIOCore
import ServiceKit

/// `GET /v1/iamport.js`, `POST /window`, `GET /window/{imp_uid}` and `POST /window/{imp_uid}/{pay|fail|cancel}`.
///
/// Pages of any origin may call these.
struct PortOneWindowRoutes: Sendable {
    let windows: PortOneWindows

    func add(to group: RouterGroup<SandboxContext>) {
        let open = group.group().add(middleware: CORSMiddleware(allowOrigin: .all))
        open.get("v1/iamport.js", use: script)
        open.post("window", use: begin)
        open.on("window", method: .options) { _, _ in Response.empty(.noContent) }
        group.get("window/:imp_uid", use: page)
        group.post("window/:imp_uid/:action", use: finish)
    }

    private func script(_ request: Request, _ context: SandboxContext) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.iamport_js))
        )
    }

    private struct Answer: Encodable {
        /// The pending payment of the window; nil if the window does not open.
        var impUid: String?
        /// The result, if the payment is finished.
        var outcome: PortOneOutcome?
        /// The redirect URL, which replaces a callback.
        var redirect: String?
        /// The only origin that may receive the result; nil if the page has none.
        var origin: String?
    }

    private func begin(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let order: PortOneWindows.Order
        do {
            order = try await self.order(request, context)
        } catch let error as PortOneError {
            return try .snakeJSON(Answer(outcome: PortOneOutcome(refusal: error.message)), status: error.status)
        }
        let payment = windows.begin(order)
        if payment.status == .ready { return try .snakeJSON(Answer(impUid: payment.impUid)) }
        return try .snakeJSON(ended(payment))
    }

    private func order(_ request: Request, _ context: SandboxContext) async throws -> PortOneWindows.Order {
        let fields = try await PortOneFields(request, context)
        _ = try fields.required("user_code")
        let origin = request.headers[.origin]
        let order = try PortOneWindows.Order(
            merchantUid: fields.merchantUid(),
            amount: fields.requiredAmount("amount"),
            currency: fields.text("currency") ?? "KRW",
            pg: fields.text("pg"),
            payMethod: fields.text("pay_method"),
            name: fields.text("name"),
            buyerName: fields.text("buyer_name"),
            buyerEmail: fields.text("buyer_email"),
            buyerTel: fields.text("buyer_tel"),
            buyerAddr: fields.text("buyer_addr"),
            buyerPostcode: fields.text("buyer_postcode"),
            customData: fields.text("custom_data"),
            userAgent: request.headers[.userAgent],
            redirect: fields.text("m_redirect_url"),
            origin: origin == "null" ? nil : origin
        )
        guard order.amount.fits(order.currency) else {
            throw PortOneError.bad("amount", "\(order.currency) 금액에는 소수를 사용할 수 없습니다.")
        }
        if let redirect = order.redirect, !["http://", "https://"].contains(where: redirect.hasPrefix) {
            throw PortOneError.bad("m_redirect_url", "http 또는 https 주소이어야 합니다.")
        }
        return order
    }

    private func page(_ request: Request, _ context: SandboxContext) throws -> Response {
        try PortOneWindowPage(windows.payment(context.parameters.get("imp_uid") ?? "")).response
    }

    private func finish(_ request: Request, _ context: SandboxContext) throws -> Response {
        guard let action = PortOneWindows.Action(rawValue: context.parameters.get("action") ?? "") else {
            throw PortOneError(.notFound, "존재하지 않는 API입니다.")
        }
        let payment = try windows.finish(context.parameters.get("imp_uid") ?? "", by: action)
        return try .snakeJSON(ended(payment))
    }

    private func ended(_ payment: PortOnePayment) throws -> Answer {
        let outcome = PortOneOutcome(payment)
        let opener = windows.opener(of: payment.impUid)
        return Answer(
            impUid: payment.status == .ready ? payment.impUid : nil,
            outcome: outcome,
            redirect: try opener.redirect.map(outcome.redirect),
            origin: opener.origin
        )
    }
}
