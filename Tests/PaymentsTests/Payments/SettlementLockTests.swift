import Contracts
import Events
import FoundationEssentials
import Postgres
import Synchronization
import TestKit
import Testing

@testable import Payments

/// The lock order of concurrent settlements. The tests observe lock waits in PostgreSQL, so they do not depend on time.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct SettlementLockTests {
    private var database: PostgresClient { TestDatabase.current.client }
    private let settlement = PaymentProcessor(outbox: Outbox(subscribers: []), takesTests: true, claimWindow: 60) {
        .now
    }
    private let orders = OrderStore()
    private let payments = PaymentStore()

    private static func report(_ impUID: ImpUID, of code: String) -> PaymentReport {
        PaymentReport(
            impUID: impUID,
            merchantUID: code,
            status: .paid,
            money: .won(100),
            cancelledAmount: 0,
            isTest: false,
            paidAt: .now,
            receipt: Receipt()
        )
    }

    private static func order(_ code: String) -> Order {
        Order(
            id: 0,
            app: .culture,
            code: code,
            account: 7,
            subject: "a0000000000000000000000a",
            name: "후원하기",
            amount: 100,
            heldUntil: .now + 60,
            createdAt: .now,
            updatedAt: .now
        )
    }

    /// Counts the transactions that were begun.
    private final class Runs: Sendable {
        let count = Mutex(0)
    }

    @Test func settlementWithPaymentLock_neverWaitsForOrder() async throws {
        let (code, report) = ("ios_key_1700000000", Self.report("imp_1", of: "ios_key_1700000000"))
        try await database.transaction {
            _ = try await $0.run(payments.insertIfNew(Payment(report, at: .now, publicID: "p")))
        }
        let runs = Runs()
        let both = try await database.transaction { holder in
            _ = try await payments.lock("imp_1", in: holder)
            // The first settlement finds no order and waits for the payment's lock.
            let first = Task {
                try await database.transaction {
                    runs.count.withLock { $0 += 1 }
                    _ = try await settlement.settle(report, by: .portOne, in: $0)
                }
            }
            try await holder.waitUntilBlocking()
            _ = try await database.transaction { try await orders.insert(Self.order(code), in: $0) }
            // The second locks the order that was inserted meanwhile and waits for the payment's lock.
            let second = Task {
                try await database.transaction {
                    runs.count.withLock { $0 += 1 }
                    _ = try await orders.lock(code: code, in: $0)
                    _ = try await payments.lock("imp_1", in: $0)
                }
            }
            try await holder.waitUntilBlocking(2)
            return [first, second]
        }
        for task in both { try await task.value }
        #expect(runs.count.withLock(\.self) == 2, "no transaction was retried")
    }

    @Test func concurrentRefundsWithSameKey_succeedOnce() async throws {
        for number in 1...2 {
            let code = "ABCD00000\(number)"
            try await database.transaction { transaction in
                var order = Self.order(code)
                order.account = .init(rawValue: Int64(number))
                _ = try await orders.insert(order, in: transaction)
                let report = Self.report("imp_\(number)", of: code)
                #expect(try await settlement.settle(report, by: .timer, in: transaction).payment.verdict == .confirmed)
            }
        }
        @Sendable func refund(_ impUID: ImpUID, _ transaction: PostgresTransaction) async throws {
            _ = try await settlement.refund(impUID, 10, because: "사유", key: "k", by: .operator("하늘"), in: transaction)
        }
        let second = try await database.transaction { first in
            try await refund("imp_1", first)
            let second = Task { try await database.transaction { try await refund("imp_2", $0) } }
            try await first.waitUntilBlocking()
            return second
        }
        await #expect(throws: PaymentsError.keyReused) { try await second.value }
        let due = try await database.all("SELECT due FROM payments ORDER BY imp_uid") { try $0.decode(Int64.self) }
        #expect(due == [10, 0])
    }
}
