import Testing

@testable import Proof

struct FaultsAreMadeTests {
    private func fault(_ state: AppliedFault.State) -> AppliedFault {
        AppliedFault(
            kind: .move,
            target: FaultTarget("chat"),
            begun: .seconds(1),
            ended: .seconds(2),
            outcome: "`stack move` failed: the copy differs.",
            state: state,
            concerns: .all
        )
    }

    @Test func appliedAndSkippedFaults_areNoViolation() {
        let finding = FaultsAreMade.check([fault(.applied), fault(.skipped)])
        #expect(finding.isKept && finding.checked == 1)
        #expect(FaultsAreMade.check([]).checked == 0)
    }

    @Test func failedFault_isOne_withItsReason() {
        let finding = FaultsAreMade.check([fault(.applied), fault(.failed)])
        #expect(finding.checked == 2 && finding.violations.count == 1)
        #expect(finding.violations.first?.sentence.contains("move of chat failed: `stack move` failed") == true)
        #expect(finding.violations.first?.story.count == 1)
    }
}
