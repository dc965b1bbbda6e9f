import Testing

@testable import Proof

struct PromiseListTests {
    @Test func promises_areThoseOfTheFindings_andNothingBreaksNone() {
        let payments = PaymentHistory(at: .seconds(1))
        let check = ProofCheck(
            pages: Diary().all,
            tables: ProofTables.Contents(payments: payments, at: .seconds(1)),
            samples: [],
            faults: [],
            waiting: [],
            end: .seconds(1)
        )
        let (findings, _) = check.findings()
        #expect(findings.map(\.promise) == ProofCheck.promises + [FaultsAreMade.promise])
        #expect(findings.filter { !$0.isKept }.isEmpty)
    }
}
