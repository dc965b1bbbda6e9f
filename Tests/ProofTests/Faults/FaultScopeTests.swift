import Contracts
import Proof
import StackKit
import Testing

@Suite struct FaultScopeTests {
    private func scope(_ kind: FaultKind, _ name: String) throws -> FaultScope {
        try FaultRules.standard().scope(of: kind, at: FaultTarget(name))
    }

    @Test func programFault_concernsItAndItsCallers() throws {
        #expect(try scope(.stop, "seats") == .programs([.seats, .auth]))
        #expect(try scope(.kill, "workforce") == .programs([.workforce]))
        #expect(try scope(.kill, "gateway") == .all)
        #expect(try scope(.stop, "supervisor") == .programs([]))
    }

    @Test func providerFault_concernsThoseThatCallIt() throws {
        #expect(try scope(.providerLost, "portone") == .programs([.payments]))
        let sandbox = try scope(.stop, "sandbox")
        #expect(sandbox.includes(.auth) && sandbox.includes(.seats) && !sandbox.includes(.workforce))
    }

    @Test func databaseFault_concernsAll_butSlowCommitsNone() throws {
        #expect(try scope(.killBackend, "postgres") == .all)
        #expect(try scope(.slowCommits, "postgres") == .programs([]))
        #expect(FaultScope.all.includes(.chat))
    }

    @Test func everyNameInTheRules_isThatOfAProgram() throws {
        let rules = try FaultRules.standard()
        for provider in Programs.providers {
            #expect(try scope(.providerFails, provider) != .programs([]), "\(provider)")
        }
        for kind in FaultKind.allCases { #expect(!rules.title(of: kind).isEmpty) }
    }
}
