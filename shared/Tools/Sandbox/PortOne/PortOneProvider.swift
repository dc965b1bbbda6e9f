import Hummingbird
import ServiceKit
import ServiceLifecycle

/// PortOne (I'mport) REST v1 (`https://api.iamport.kr`), the script of its payment window for web pages, and the
/// window.
///
/// Source: Anlaka contract 6.1. Every response is `{code, message, response}`; valid but impossible requests are
/// refused with HTTP status 200 and a code other than 0.
struct PortOneProvider: Provider {
    let name = "portone"
    let controls = "payments"
    private let tokens: PortOneTokens
    private let webhooks: PortOneWebhooks
    private let payments = PortOnePayments()
    private let prepared = PortOnePrepared()

    /// - Parameters:
    ///   - key: `imp_key`, the only one that gets tokens.
    ///   - secret: `imp_secret`.
    init(key: String, secret: String, webhooks: PortOneWebhooks) {
        tokens = PortOneTokens(key: key, secret: secret)
        self.webhooks = webhooks
    }

    var services: [any Service] { [webhooks] }

    func addRoutes(to group: RouterGroup<SandboxContext>) {
        group.post("users/getToken") { request, context in
            let fields = try await PortOneFields(request, context)
            let (key, secret) = try (fields.required("imp_key"), fields.required("imp_secret"))
            return try Response.portOne(tokens.token(key: key, secret: secret))
        }
        let inside = group.group("payments").add(middleware: PortOneTokenMiddleware(tokens: tokens))
        PortOnePaymentRoutes(payments: payments).add(to: inside)
        PortOneCancelRoutes(payments: payments, webhooks: webhooks).add(to: inside)
        PortOnePrepareRoutes(prepared: prepared).add(to: inside)
        let windows = PortOneWindows(payments: payments, prepared: prepared, webhooks: webhooks)
        PortOneWindowRoutes(windows: windows).add(to: group)
    }

    func addControls(to group: RouterGroup<SandboxContext>) {
        PortOneControls(payments: payments, tokens: tokens, webhooks: webhooks).add(to: group)
    }

    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response {
        PortOneError(status, status == .notFound ? "존재하지 않는 API입니다." : "일시적인 오류가 발생하였습니다.").response
    }
}
