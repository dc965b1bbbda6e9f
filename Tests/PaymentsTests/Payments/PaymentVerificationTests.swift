import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Payments

@Suite struct PaymentVerificationTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func order(_ change: (inout Order) -> Void = { _ in }) -> Order {
        var order = Order(
            id: 1,
            app: .anlaka,
            code: "ABCD123456",
            account: 1,
            subject: "a",
            name: "원룸",
            amount: 1000,
            heldUntil: Self.now + 600,
            createdAt: Self.now,
            updatedAt: Self.now
        )
        change(&order)
        return order
    }

    private func report(_ change: (inout PaymentReport) -> Void = { _ in }) -> PaymentReport {
        var report = PaymentReport(
            impUID: "imp_1",
            merchantUID: "ABCD123456",
            status: .paid,
            money: .won(1000),
            cancelledAmount: 0,
            isTest: false,
            paidAt: Self.now + 60,
            receipt: Receipt()
        )
        change(&report)
        return report
    }

    private func verdict(_ report: PaymentReport, _ order: Order, cancelled: Int64 = 0, takesTests: Bool = false)
        -> PaymentVerification
    {
        PaymentVerification(report, cancelled: cancelled, for: order, takesTests: takesTests)
    }

    @Test func correctPaymentInTime_isConfirmed() {
        #expect(verdict(report(), order()) == .confirmed)
        #expect(verdict(report { $0.paidAt = Self.now + 600 }, order()) == .confirmed)
        #expect(verdict(report { $0.paidAt = nil }, order()) == .confirmed)
    }

    @Test(arguments: [Int64(999), 1001, 0, 100_000_000]) func otherAmount_isWrongAmount(amount: Int64) {
        #expect(verdict(report { $0.money = .won(amount) }, order()) == .wrongAmount)
    }

    @Test func otherCurrency_isWrongCurrency() {
        #expect(verdict(report { $0.money = Money(amount: 1000, currency: "USD") }, order()) == .wrongCurrency)
    }

    @Test func partlyCancelledPayment_isRejected() {
        #expect(verdict(report(), order(), cancelled: 1) == .partlyCancelled)
    }

    @Test func testPayment_isConfirmedOnlyIfAccepted() {
        #expect(verdict(report { $0.isTest = true }, order()) == .testPayment)
        #expect(verdict(report { $0.isTest = true }, order(), takesTests: true) == .confirmed)
    }

    @Test func secondOrLatePayment_isRejected() {
        #expect(verdict(report(), order { $0.state = .paid }) == .alreadyPaid)
        #expect(verdict(report(), order { $0.state = .refunded }) == .alreadyPaid)
        #expect(verdict(report(), order { $0.state = .expired }) == .tooLate)
        #expect(verdict(report { $0.paidAt = Self.now + 601 }, order()) == .tooLate)
    }

    /// A defect of the payment itself takes precedence over the order's state.
    @Test func wrongAmount_takesPrecedenceOverOrderState() {
        #expect(verdict(report { $0.money = .won(1) }, order { $0.state = .paid }) == .wrongAmount)
        #expect(verdict(report { $0.money = .won(1) }, order { $0.state = .expired }) == .wrongAmount)
    }
}
