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
        let payment: PortOnePayment
        do {
            let (order, opener) = try await order(request, context)
            payment = windows.begin(order, openedBy: opener)
        } catch let error as PortOneError {
            return try .snakeJSON(Answer(outcome: PortOneOutcome(refusal: error.message)), status: error.status)
        }
        if payment.status == .ready { return try .snakeJSON(Answer(impUid: payment.impUid)) }
        return try .snakeJSON(ended(payment))
    }

    /// The payment that a page requests, and the page.
    private func order(
        _ request: Request,
        _ context: SandboxContext
    ) async throws -> (PortOnePayment, PortOneWindows.Opener) {
        let fields = try await PortOneFields(request, context)
        _ = try fields.required("user_code")
        var payment = try PortOnePayment(
            merchantUid: fields.merchantUid(),
            amount: fields.requiredAmount("amount"),
            startedAt: PortOneTime.now
        )
        payment.currency = try fields.text("currency") ?? "KRW"
        // The channel's provider, with the merchant's id there after a point: `html5_inicis.INIpayTest`.
        let channel = try fields.text("pg")?.split(separator: ".", maxSplits: 1).map(String.init) ?? []
        payment.pgProvider = channel.first ?? payment.pgProvider
        payment.pgId = channel.dropFirst().first ?? payment.pgId
        payment.payMethod = try fields.text("pay_method") ?? payment.payMethod
        payment.name = try fields.text("name")
        payment.buyerName = try fields.text("buyer_name")
        payment.buyerEmail = try fields.text("buyer_email")
        payment.buyerTel = try fields.text("buyer_tel")
        payment.buyerAddr = try fields.text("buyer_addr")
        payment.buyerPostcode = try fields.text("buyer_postcode")
        payment.customData = try fields.text("custom_data")
        payment.userAgent = request.headers[.userAgent]
        payment.channel = payment.userAgent?.contains("Mobile") == true ? "mobile" : "pc"
        let redirect = try fields.text("m_redirect_url")
        guard payment.amount.fits(payment.currency) else {
            throw PortOneError.bad("amount", "\(payment.currency) 금액에는 소수를 사용할 수 없습니다.")
        }
        if let redirect, !["http://", "https://"].contains(where: redirect.hasPrefix) {
            throw PortOneError.bad("m_redirect_url", "http 또는 https 주소이어야 합니다.")
        }
        let origin = request.headers[.origin]
        return (payment, PortOneWindows.Opener(redirect: redirect, origin: origin == "null" ? nil : origin))
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
