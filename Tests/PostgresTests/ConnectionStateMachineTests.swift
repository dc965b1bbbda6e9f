import Testing

@testable import Postgres

@Suite struct ConnectionStateMachineTests {
    private typealias Machine = ConnectionStateMachine<String, Int>

    private let select: SQL = "SELECT 1"
    private let insert: SQL = "INSERT"
    private let refused = PostgresError(.refused, "no", sqlState: .uniqueViolation)
    private let forgotten = PostgresError(.refused, "what?", sqlState: .invalidStatementName)

    /// The sent messages in a short form: `parse s1`, `execute s1`, `sync`.
    private func send(
        _ machine: inout Machine,
        _ ticket: String,
        _ statements: [SQL],
        _ attempt: Machine.Attempt = .first,
        sharesGroup: Bool = false
    ) -> [String] {
        var instructions: [Machine.Instruction] = []
        machine.send(ticket, SmallVector(statements), attempt, sharesGroup: sharesGroup, into: &instructions)
        return texts(instructions)
    }

    private func endGroup(_ machine: inout Machine) -> [String] {
        var instructions: [Machine.Instruction] = []
        machine.endGroup(into: &instructions)
        return texts(instructions)
    }

    private func texts(_ instructions: [Machine.Instruction]) -> [String] {
        instructions.map { instruction in
            switch instruction {
            case .parse(let name, _): "parse \(name)"
            case .execute(let name, _): "execute \(name)"
            case .sync: "sync"
            }
        }
    }

    /// The outcome in a short form: `A: 1 2`, `A: refused`, `A once more`, `again A`, `give up`; nil without one.
    private func receive(_ machine: inout Machine, _ signal: Machine.Signal) -> String? {
        switch machine.receive(signal) {
        case .none: nil
        case .finish(let ticket, .success(let outputs)): "\(ticket): " + outputs.map(String.init).joined(separator: " ")
        case .finish(let ticket, .failure(let error)): "\(ticket): \(error.kind)"
        case .sendAgain(let ticket, .first): "\(ticket) once more"
        case .sendAgain(let ticket, _): "again \(ticket)"
        case .giveUp: "give up"
        }
    }

    @Test func statement_isPreparedOnce() {
        var machine = Machine()
        #expect(send(&machine, "A", [select]) == ["parse s1", "execute s1", "sync"])
        #expect(send(&machine, "B", [select]) == ["execute s1", "sync"])
        #expect(machine.inFlight == 2)
        #expect(receive(&machine, .success(0)) == nil)
        #expect(receive(&machine, .success(1)) == nil)
        #expect(receive(&machine, .sync) == "A: 1")
        #expect(receive(&machine, .success(2)) == nil)
        #expect(receive(&machine, .sync) == "B: 2")
        #expect(machine.inFlight == 0)
    }

    @Test func failure_affectsItsGroupOnly() {
        var machine = Machine()
        _ = send(&machine, "A", [select])
        _ = send(&machine, "B", [insert, select])
        _ = send(&machine, "C", [select])
        for signal in [Machine.Signal.success(0), .success(1)] { #expect(receive(&machine, signal) == nil) }
        #expect(receive(&machine, .sync) == "A: 1")
        #expect(receive(&machine, .success(0)) == nil)
        #expect(receive(&machine, .failure(refused)) == nil)
        #expect(receive(&machine, .aborted) == nil)
        #expect(receive(&machine, .sync) == "B: refused")
        #expect(receive(&machine, .success(3)) == nil)
        #expect(receive(&machine, .sync) == "C: 3")
    }

    @Test func requestsOfOneGroup_endWithTheirResults() {
        var machine = Machine()
        #expect(endGroup(&machine) == [], "there is no group")
        #expect(send(&machine, "A", [select], sharesGroup: true) == ["parse s1", "execute s1"])
        #expect(send(&machine, "B", [select], sharesGroup: true) == ["execute s1"])
        #expect(machine.openRequests == 2)
        #expect(endGroup(&machine) == ["sync"])
        #expect((machine.openRequests, machine.inFlight) == (0, 2))
        #expect(receive(&machine, .success(0)) == nil)
        #expect(receive(&machine, .success(1)) == "A: 1")
        #expect(receive(&machine, .success(2)) == nil)
        #expect(receive(&machine, .sync) == "B: 2")
        #expect(machine.inFlight == 0)
    }

    @Test func otherRequest_endsGroupBeforeIt() {
        var machine = Machine()
        _ = send(&machine, "A", [select], sharesGroup: true)
        #expect(send(&machine, "B", [insert]) == ["sync", "parse s2", "execute s2", "sync"])
        for signal in [Machine.Signal.success(0), .success(1)] { #expect(receive(&machine, signal) == nil) }
        #expect(receive(&machine, .sync) == "A: 1")
        for signal in [Machine.Signal.success(0), .success(2)] { #expect(receive(&machine, signal) == nil) }
        #expect(receive(&machine, .sync) == "B: 2")
    }

    @Test func failureInSharedGroup_letsLaterRequestsBeSentAgain() {
        var machine = Machine()
        _ = send(&machine, "A", [select], sharesGroup: true)
        _ = send(&machine, "B", [insert], sharesGroup: true)
        _ = send(&machine, "C", [insert], sharesGroup: true)
        _ = send(&machine, "D", [select], sharesGroup: true)
        #expect(endGroup(&machine) == ["sync"])
        #expect(receive(&machine, .success(0)) == nil)
        #expect(receive(&machine, .success(1)) == "A: 1")
        #expect(receive(&machine, .failure(refused)) == nil)
        #expect(receive(&machine, .aborted) == "B: refused")
        #expect(receive(&machine, .aborted) == "C once more")
        #expect(receive(&machine, .aborted) == nil)
        #expect(receive(&machine, .sync) == "D once more")
        // B could not be prepared.
        #expect(send(&machine, "C", [insert]) == ["parse s3", "execute s3", "sync"])
        #expect(send(&machine, "D", [select]) == ["execute s1", "sync"])
    }

    @Test func stalePlanInSharedGroup_isPreparedAgain() {
        var machine = Machine()
        _ = send(&machine, "A", [select])
        for signal in [Machine.Signal.success(0), .success(1), .sync] { _ = receive(&machine, signal) }
        _ = send(&machine, "B", [select], sharesGroup: true)
        _ = send(&machine, "C", [select], sharesGroup: true)
        _ = endGroup(&machine)
        #expect(receive(&machine, .failure(forgotten)) == "again B")
        #expect(send(&machine, "B", [select], .second) == ["parse s2", "execute s2", "sync"])
        #expect(receive(&machine, .aborted) == nil)
        #expect(receive(&machine, .sync) == "C once more")
    }

    @Test func statementThatFailedToParse_isNotCached() {
        var machine = Machine()
        _ = send(&machine, "A", [insert, select])
        // The first cannot be parsed, the second is skipped with it.
        #expect(receive(&machine, .failure(refused)) == nil)
        for _ in 0..<3 { #expect(receive(&machine, .aborted) == nil) }
        #expect(receive(&machine, .sync) == "A: refused")
        #expect(send(&machine, "B", [select]).first?.hasPrefix("parse") == true)
        #expect(send(&machine, "C", [insert]).first?.hasPrefix("parse") == true)
    }

    @Test func unknownPreparedStatement_isSentAgainOnce() {
        var machine = Machine()
        _ = send(&machine, "A", [select])
        _ = receive(&machine, .success(0))
        _ = receive(&machine, .success(1))
        _ = receive(&machine, .sync)

        #expect(send(&machine, "B", [select]) == ["execute s1", "sync"])
        #expect(send(&machine, "C", [select]) == ["execute s1", "sync"])
        #expect(receive(&machine, .failure(forgotten)) == nil)
        #expect(receive(&machine, .sync) == "again B")
        // The statement is prepared under a new name.
        #expect(send(&machine, "B", [select], .second) == ["parse s2", "execute s2", "sync"])
        #expect(receive(&machine, .failure(forgotten)) == nil)
        #expect(receive(&machine, .sync) == "again C")
        #expect(receive(&machine, .success(0)) == nil)
        #expect(receive(&machine, .success(5)) == nil)
        #expect(receive(&machine, .sync) == "B: 5")
        #expect(send(&machine, "C", [select], .second) == ["execute s2", "sync"])
        #expect(receive(&machine, .failure(forgotten)) == nil)
        #expect(receive(&machine, .sync) == "C: refused", "the second failure is reported")
    }

    /// Many callers send a statement that cannot be prepared; each of them gets the reason.
    @Test func secondAttempt_doesNotRelyOnUnconfirmedStatement() {
        var machine = Machine()
        _ = send(&machine, "A", [insert])
        #expect(send(&machine, "B", [insert]) == ["execute s1", "sync"])
        #expect(receive(&machine, .failure(refused)) == nil)
        #expect(receive(&machine, .aborted) == nil)
        #expect(receive(&machine, .sync) == "A: refused")
        #expect(send(&machine, "C", [insert]) == ["parse s2", "execute s2", "sync"])
        #expect(receive(&machine, .failure(forgotten)) == nil)
        #expect(receive(&machine, .sync) == "again B")
        #expect(send(&machine, "B", [insert], .second) == ["parse s3", "execute s3", "sync"])
        for ticket in ["C", "B"] {
            #expect(receive(&machine, .failure(refused)) == nil)
            #expect(receive(&machine, .aborted) == nil)
            #expect(receive(&machine, .sync) == "\(ticket): refused")
        }
        #expect(machine.inFlight == 0)
    }

    @Test func unknownPreparedStatement_inTransaction_fails() {
        var machine = Machine()
        _ = send(&machine, "A", [select], .only)
        _ = receive(&machine, .success(0))
        _ = receive(&machine, .failure(forgotten))
        #expect(receive(&machine, .sync) == "A: refused")
    }

    @Test func statementsBeyondCapacity_haveNoName() {
        var machine = Machine(cacheCapacity: 1)
        #expect(send(&machine, "A", [select]) == ["parse s1", "execute s1", "sync"])
        #expect(send(&machine, "B", [insert, select]) == ["parse ", "execute ", "execute s1", "sync"])
        #expect(send(&machine, "C", [insert]) == ["parse ", "execute ", "sync"])
        #expect(machine.inFlight == 3)
    }

    @Test func failureAtSync_failsItsGroup() {
        var machine = Machine()
        _ = send(&machine, "A", [insert])
        _ = receive(&machine, .success(0))
        _ = receive(&machine, .success(1))
        // A deferred constraint is checked at the sync point.
        #expect(receive(&machine, .failure(refused)) == nil)
        #expect(receive(&machine, .sync) == "A: refused")
    }

    @Test func unexpectedMessages_closeConnection() {
        var machine = Machine()
        #expect(receive(&machine, .sync) == "give up")
        _ = send(&machine, "A", [select])
        #expect(receive(&machine, .sync) == "give up", "a sync before the responses")
        _ = send(&machine, "B", [select])
        _ = receive(&machine, .success(0))
        _ = receive(&machine, .success(1))
        _ = receive(&machine, .success(2))
        #expect(receive(&machine, .success(3)) == "give up", "one response too many")
    }

    @Test func abandon_returnsWaitingCallers() {
        var machine = Machine(cacheCapacity: 1)
        _ = send(&machine, "A", [select])
        _ = send(&machine, "B", [insert])
        #expect(machine.abandon().tickets == ["A", "B"])
        #expect(machine.inFlight == 0)
        #expect(machine.abandon().tickets == [])
        _ = send(&machine, "C", [select, insert])
        _ = receive(&machine, .success(0))
        _ = receive(&machine, .success(1))
        #expect(Array(machine.abandon().outputs) == [1])
        #expect(machine.abandon().outputs.isEmpty)
    }
}
