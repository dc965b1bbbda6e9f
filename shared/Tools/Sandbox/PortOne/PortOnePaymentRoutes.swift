import Hummingbird
import ServiceKit

/// `GET /payments/{imp_uid}`, `GET /payments/find/{merchant_uid}[/{status}]`,
/// `GET /payments/findAll/{merchant_uid}[/{status}]` and `GET /payments/status/{status}`.
///
/// `include_sandbox=false` hides test payments.
struct PortOnePaymentRoutes: Sendable {
    let payments: PortOnePayments

    func add(to group: RouterGroup<SandboxContext>) {
        group.get(":imp_uid", use: payment)
        group.get("find/:merchant_uid", use: latest)
        group.get("find/:merchant_uid/:status", use: latest)
        group.get("findAll/:merchant_uid", use: ofMerchant)
        group.get("findAll/:merchant_uid/:status", use: ofMerchant)
        group.get("status/:status", use: ofStatus)
    }

    /// The maximum time span of a list by status, in seconds.
    private static let longestSpan = 90 * 86_400
    /// The latest time of the lists.
    private static let endOfTime = 9_999_999_999

    private func payment(_ request: Request, _ context: SandboxContext) throws -> Response {
        let payment = try payments.payment(context.parameters.get("imp_uid") ?? "")
        guard Self.isVisible(payment, to: request) else { throw PortOneError.unknownPayment }
        return try .portOne(payment)
    }

    private func latest(_ request: Request, _ context: SandboxContext) throws -> Response {
        guard let payment = try newestFirst(request, context).first else { throw PortOneError.unknownPayment }
        return try .portOne(payment)
    }

    private func ofMerchant(_ request: Request, _ context: SandboxContext) throws -> Response {
        try .portOne(PortOnePage(newestFirst(request, context), PortOnePage.Place(request)))
    }

    private func newestFirst(_ request: Request, _ context: SandboxContext) throws -> [PortOnePayment] {
        guard let merchantUid = context.parameters.get("merchant_uid")?.percentDecoded else {
            throw PortOneError.unknownPayment
        }
        let status = try Self.status(context)
        return payments.payments(of: merchantUid, status: status).reversed().filter { Self.isVisible($0, to: request) }
    }

    private func ofStatus(_ request: Request, _ context: SandboxContext) throws -> Response {
        let span = try Self.span(request)
        let found = try payments.payments(status: Self.status(context))
            .filter { span.contains($0.startedAt) && Self.isVisible($0, to: request) }
            .enumerated()
            .sorted { ($0.element.startedAt, $0.offset) < ($1.element.startedAt, $1.offset) }
            .map(\.element)
        let sorted = request.query("sorting") == "started" ? found : found.reversed()
        return try .portOne(PortOnePage(sorted, PortOnePage.Place(request)))
    }

    /// The requested range of start times: without `to` until now, or up to the maximum span from `from`; without
    /// `from` the maximum span.
    private static func span(_ request: Request) throws(PortOneError) -> ClosedRange<Int> {
        let from = try request.portOneNumber("from", in: 0...endOfTime)
        let to = try request.portOneNumber("to", in: 0...endOfTime)
        let end = to ?? min(PortOneTime.now, (from ?? endOfTime) + longestSpan)
        let start = from ?? max(0, end - longestSpan)
        guard start <= end else { throw .bad("from", "조회시작시각은 조회종료시각보다 늦을 수 없습니다.") }
        guard end - start <= longestSpan else { throw .bad("from", "조회기간은 최대 90일까지 가능합니다.") }
        return start...end
    }

    /// The status in the path; nil for all.
    private static func status(_ context: SandboxContext) throws(PortOneError) -> PortOnePayment.Status? {
        let text = context.parameters.get("status") ?? "all"
        if text == "all" { return nil }
        guard let status = PortOnePayment.Status(rawValue: text) else {
            throw .bad("payment_status", "all, ready, paid, cancelled, failed 중 하나이어야 합니다.")
        }
        return status
    }

    private static func isVisible(_ payment: PortOnePayment, to request: Request) -> Bool {
        !payment.sandbox || request.query("include_sandbox") != "false"
    }
}
