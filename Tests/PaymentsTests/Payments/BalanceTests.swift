import TestKit
import Testing
import Values

@testable import Payments

@Suite struct BalanceTests {
    @Test func payment_isSoldOnce() {
        var balance = Balance()
        balance.see(paid: 1000)
        #expect(balance.unallocated == 1000 && balance.held == 1000)
        balance.sell()
        #expect(balance.sold == 1000 && balance.unallocated == 0)
        balance.see(paid: 5000)
        balance.sell()
        #expect(balance == Balance(paid: 1000, sold: 1000))
    }

    @Test func cancellation_reducesDueFirst() {
        var balance = Balance(paid: 1000, sold: 1000)
        #expect(balance.owe(300) == 300)
        #expect(balance == Balance(paid: 1000, due: 300, sold: 700))
        balance.see(cancelled: 300)
        #expect(balance == Balance(paid: 1000, cancelled: 300, sold: 700))
        // An operator cancels more at PortOne's console than was due.
        #expect(balance.owe(100) == 100)
        balance.see(cancelled: 600)
        #expect(balance == Balance(paid: 1000, cancelled: 600, sold: 400))
    }

    @Test func due_isLimitedToHeldAmount() {
        var balance = Balance(paid: 1000, sold: 1000)
        #expect(balance.owe(5000) == 1000)
        #expect(balance.owe(1) == 0)
        balance.see(cancelled: 9000)
        #expect(balance == Balance(paid: 1000, cancelled: 1000))
    }

    @Test func staleReport_changesNothing() {
        var balance = Balance(paid: 1000, cancelled: 400, sold: 600)
        balance.see(cancelled: 100)
        balance.see(cancelled: -5)
        balance.see(paid: 0)
        #expect(balance == Balance(paid: 1000, cancelled: 400, sold: 600))
    }

    /// In any order of operations no amount is lost or negative, and the entries of every operation sum to zero.
    @Test(arguments: 0..<50) func randomOperations_keepLedgerBalanced(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var (balance, ledger) = (Balance(), [LedgerAccount: Int64]())
        for _ in 0..<200 {
            let old = balance
            switch Int.random(in: 0..<4, using: &random) {
            case 0: balance.see(paid: Int64.random(in: 0...1000, using: &random))
            case 1: balance.see(cancelled: Int64.random(in: 0...1200, using: &random))
            case 2: balance.sell()
            default: balance.owe(Int64.random(in: 0...500, using: &random))
            }
            let entries = balance.entries(since: old)
            #expect(entries.reduce(0) { $0 + $1.amount } == 0)
            for entry in entries { ledger[entry.account, default: 0] += entry.amount }
            #expect(
                [balance.paid, balance.cancelled, balance.due, balance.sold, balance.unallocated].allSatisfy { $0 >= 0 }
            )
        }
        #expect(ledger[.clearing, default: 0] == balance.held)
        #expect(ledger[.unallocated, default: 0] == -balance.unallocated)
        #expect(ledger[.sales, default: 0] == -balance.sold)
        #expect(ledger[.refunds, default: 0] == -balance.due)
    }
}
