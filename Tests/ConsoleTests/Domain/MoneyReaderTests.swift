import Authentication
import Contracts
import ServiceKit
import Testing

@testable import Console

@Suite(.timeLimit(.minutes(1))) struct MoneyReaderTests {
    private func reader(_ address: String, for time: Duration) -> MoneyReader {
        let client = InternalClient(to: .payments, at: [address], keys: .development(.console))
        return MoneyReader(client: client, comparisonTime: time)
    }

    @Test func comparison_goesOnToItsEnd() async throws {
        try await MoneyStubs.run { address in
            let whole = try await reader(address, for: .seconds(60)).compare(MoneyStubs.day)
            #expect(whole?.isFinished == true && whole?.payments == 12 && whole?.next == nil)
        }
    }

    @Test func comparisonThatTakesLonger_hasACursor() async throws {
        try await MoneyStubs.run { address in
            let reader = reader(address, for: .zero)
            let first = try await reader.compare(MoneyStubs.day)
            #expect(first?.isFinished == false && first?.payments == 4 && first?.next == MoneyStubs.cursors[0])
            let second = try await reader.compare(MoneyStubs.day, after: first?.next)
            #expect(second?.payments == 8 && second?.next == MoneyStubs.cursors[1])
            let last = try await reader.compare(MoneyStubs.day, after: second?.next)
            #expect(last?.isFinished == true)
        }
    }

    @Test func unknownCursor_orADayThatIsCompared_isNil() async throws {
        try await MoneyStubs.run { address in
            let reader = reader(address, for: .seconds(60))
            let unknown = try await reader.compare(MoneyStubs.day, after: "9.payments.imp_1")
            #expect(unknown == nil)
            let other = try await reader.compare("2025-11-04")
            #expect(other == nil)
        }
    }
}
