import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import TestKit
import Testing

@testable import Console

/// Payments and workforce as the console calls them: one paid order, a comparison with a difference, and a payslip.
enum MoneyStubs {
    static let hostile = "<b>\"하루\"</b>"
    static let day = "2025-11-05"

    static func run(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let refunds = Mutex<[String: OperatorsAPI.OrderDetails.Refund]>([:])
        try await StubService.run(
            { router in
                addRoutes(to: router)
                // The refunds of this run.
                router.answer("/internal/operators/orders/:id") { _, context in
                    context.parameters.get("id") == "7" ? details(refunds.withLock { Array($0.values) }) : nil
                }
                router.post("/internal/payments/:impUid/refunds") { request, context in
                    let data = Data(try await request.body.collect(upTo: 1 << 16).readableBytesView)
                    let refund = try JSONDecoder().decode(OperatorsAPI.Refund.self, from: data)
                    let key = HTTPField.Name("Idempotency-Key").flatMap { request.headers[$0] } ?? ""
                    return try refunds.withLock { try take(refund, key: key, &$0) }
                }
                router.post("/internal/comparisons/:day") { request, context in
                    guard context.parameters.get("day") == day else { throw HTTPError(.conflict) }
                    return try Router<BasicRequestContext>.json(part(after: request.uri.queryParameters["after"]))
                }
            },
            body
        )
    }

    /// Takes a refund as the payments service does. PortOne refuses those with the reason `fail`.
    private static func take(
        _ refund: OperatorsAPI.Refund,
        key: String,
        _ refunds: inout [String: OperatorsAPI.OrderDetails.Refund]
    ) throws -> Response {
        let amount = refund.amount ?? 70_000
        if let known = refunds[key], known.amount != amount { return Response(status: .conflict) }
        guard amount <= 70_000 else {
            let text = #"{"error":"Bad Request","message":"amount must be from 1 to 70000."}"#
            return Response(status: .badRequest, body: .init(byteBuffer: .init(string: text)))
        }
        let isFailing = refund.reason == "fail"
        refunds[key] = OperatorsAPI.OrderDetails.Refund(
            id: Int64(refunds.count) + 1,
            impUID: "imp_7",
            order: 7,
            amount: amount,
            currency: "KRW",
            reason: refund.reason,
            requestedAt: 1_764_000_000,
            doneAt: isFailing ? nil : 1_764_000_001,
            dueAt: isFailing ? 1_764_000_060 : nil,
            attempts: 1,
            lastError: isFailing ? "<b>no</b>" : nil
        )
        let answer = OperatorsAPI.Refund.Answer(sold: 70_000 - amount, due: amount, cancelled: 0)
        let json = try Router<BasicRequestContext>.json(answer)
        return Response(status: .ok, body: .init(byteBuffer: .init(string: json)))
    }

    // MARK: Values

    static let order = OperatorsAPI.Order(
        id: 7,
        app: .anlaka,
        code: "ABCD000007",
        account: 71,
        name: hostile,
        amount: 100_000,
        state: "paid",
        createdAt: 1_764_000_000,
        preparedAt: 1_764_000_000,
        heldUntil: 1_764_000_600,
        paidAt: 1_764_000_100,
        updatedAt: 1_764_000_100
    )

    private static let payment = OperatorsAPI.OrderDetails.Payment(
        impUID: "imp_7",
        status: "paid",
        currency: "KRW",
        amount: 100_000,
        paid: 100_000,
        cancelled: 30_000,
        due: 0,
        sold: 70_000,
        verdict: "confirmed",
        createdAt: 1_764_000_000,
        paidAt: 1_764_000_100,
        decidedAt: 1_764_000_100
    )

    private static func details(_ refunds: [OperatorsAPI.OrderDetails.Refund]) -> OperatorsAPI.OrderDetails {
        OperatorsAPI.OrderDetails(
            order: order,
            payments: [payment],
            refunds: refunds,
            ledger: [("clearing", Int64(100_000)), ("sales", -100_000)].map { account, amount in
                .init(
                    transaction: 1,
                    impUID: "imp_7",
                    kind: "sale",
                    currency: "KRW",
                    at: 1_764_000_100,
                    account: account,
                    amount: amount
                )
            },
            audit: [
                .init(at: 1_764_000_100, actor: "account/71", action: "decided", impUID: "imp_7", detail: hostile)
            ],
            webhooks: [.init(impUID: "imp_7", receivedAt: 1_764_000_101, times: 2, dueAt: nil)]
        )
    }

    private static let comparison = OperatorsAPI.Comparison(
        day: day,
        isFinished: true,
        startedAt: 1_764_000_000,
        finishedAt: 1_764_000_010,
        payments: 12,
        differences: [
            .init(impUID: "imp_9", kind: "amount", ours: "1 KRW", theirs: hostile, isMended: false),
            .init(impUID: "imp_8", kind: "unknown_here", ours: nil, theirs: "2 KRW", isMended: true),
        ]
    )

    /// The cursors of a comparison of three parts.
    static let cursors = ["3.portone.1x200", "3.payments.imp_4"]

    /// - Throws: `HTTPError` for an unknown cursor.
    private static func part(after cursor: Substring?) throws -> OperatorsAPI.Comparison {
        guard let index = cursor.map({ cursors.firstIndex(of: String($0)) }) ?? -1 else { throw HTTPError(.notFound) }
        guard index + 1 < cursors.count else { return comparison }
        var part = comparison
        (part.isFinished, part.finishedAt, part.differences, part.next) = (false, nil, [], cursors[index + 1])
        part.payments = 4 * (index + 2)
        return part
    }

    private static func addRoutes(to router: Router<BasicRequestContext>) {
        router.answer("/internal/operators/orders") { request, _ in
            let query = request.uri.queryParameters
            let isFound = ["imp_7", "7", nil].contains(query["find"].map(String.init))
            return OperatorsAPI.Orders(orders: isFound ? [order] : [], payments: [])
        }
        router.answer("/internal/operators/refunds") { _, _ in OperatorsAPI.Refunds(refunds: []) }
        router.answer("/internal/operators/differences") { _, _ in OperatorsAPI.Comparisons(comparisons: [comparison]) }
        router.answer("/internal/comparisons/:day") { _, context in
            context.parameters.get("day") == day ? comparison : nil
        }
        router.answer("/internal/operators/workers") { request, _ in
            let isKnown = request.uri.query == "account=71"
            return OperatorsAPI.Memberships(memberships: isKnown ? [PayStubs.membership] : [])
        }
        router.answer("/internal/operators/payslips") { request, _ in
            request.uri.query == "account=71&workplace=3&month=2025-11" ? PayStubs.payslip : nil
        }
    }
}

extension Trait where Self == FixtureTrait<ConsoleWorld> {
    /// The console with payments and workforce.
    static var moneyService: Self {
        .fixture { body in
            try await MoneyStubs.run { url in
                try await ConsoleWorld.test({ $0.serviceURLs = [.payments: [url], .workforce: [url]] }, body)
            }
        }
    }
}
