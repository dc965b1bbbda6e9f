import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct OffboardingTests {
    private var world: WorkforceWorld { .current }

    /// The stored shifts of a worker: `11-20 03:00 to 08:00, clocked 03:00 to -`, in UTC.
    private func shifts(_ worker: WorkerID) async throws -> [String] {
        func text(_ date: Date?) -> String { date.map { String(Instant($0).text.dropFirst(5).prefix(11)) } ?? "-" }
        return try await TestDatabase.current.client.all(
            """
            SELECT starts_at, ends_at, started_at, ended_at FROM shifts WHERE worker_id = \(worker) ORDER BY starts_at
            """
        ) {
            let (start, end, began, ended) = try $0.decode(as: (Date, Date?, Date?, Date?).self)
            return "\(text(start)) to \(text(end)), clocked \(text(began)) to \(text(ended))"
        }
    }

    private func end(_ path: String, by account: AccountID) async throws {
        #expect(try await world.client(account).send(.delete, path).status == .noContent)
    }

    /// However the work ends, past shifts and their pay stay, and planned shifts are deleted.
    @Test(.service(at: "2025-11-20T03:00:00Z"), arguments: ["leave", "leave by 16", "remove", "delete"])
    func offboarding_keepsPastShiftsAndDeletesPlannedOnes(way: String) async throws {
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        try await world.shift(of: worker, start: "2025-10-15T03:00:00Z")
        try await world.shift(of: worker, start: "2025-11-20T01:00:00Z")
        try await world.shift(of: worker, start: "2025-11-20T03:00:01Z")
        try await world.shift(of: worker, start: "2025-11-27T03:00:00Z")
        try await world.shift(of: worker, start: "2025-12-04T03:00:00Z")
        #expect(try await world.months(of: worker) == ["2025-10 80240", "2025-11 240720", "2025-12 80240"])
        switch way {
        case "leave": try await end("/workplaces/\(id)/workers/me", by: 1)
        case "leave by 16": try await end("/workplaces/\(id)", by: 1)
        case "remove": try await end("/workplaces/\(id)/workers/\(worker)", by: 9)
        default: try await end("/workplaces/\(id)", by: 9)
        }
        #expect(
            try await shifts(worker) == [
                "10-15T03:00 to 10-15T11:00, clocked - to -", "11-20T01:00 to 11-20T09:00, clocked - to -",
            ]
        )
        #expect(try await world.months(of: worker) == ["2025-10 80240", "2025-11 80240"])
        #expect(try await world.count("wages") == 1)
        await #expect(throws: WorkforceError.workerNotFound) {
            try await world.shift(of: worker, start: "2025-11-21T03:00:00Z")
        }
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func offboarding_endsOpenShift() async throws {
        world.clock.advance(by: 0.7)
        let id = try await world.shared()
        let worker = try await world.member(1, at: id)
        try await world.shift(
            of: worker,
            start: "2025-11-20T00:30:00Z",
            hours: nil,
            startedAt: "2025-11-20T00:30:00Z",
            isClocked: true
        )
        #expect(try await world.months(of: worker) == ["2025-11 0"])
        try await end("/workplaces/\(id)/workers/\(worker)", by: 9)
        #expect(try await shifts(worker) == ["11-20T00:30 to 11-20T03:00, clocked 11-20T00:30 to 11-20T03:00"])
        #expect(try await world.months(of: worker) == ["2025-11 25075"])
        #expect(try await world.count("clockings") == 0)
    }

    /// A planned shift that was clocked in early keeps its end; an open shift ends after a day.
    @Test(.service(at: "2025-11-20T03:00:00Z")) func workplaceDeletion_endsForgottenShifts() async throws {
        let id = try await world.shared()
        let early = try await world.member(1, at: id)
        try await world.shift(
            of: early,
            start: "2025-11-20T03:30:00Z",
            startedAt: "2025-11-20T02:50:00Z",
            isClocked: true
        )
        let late = try await world.member(2, at: id)
        try await world.shift(
            of: late,
            start: "2025-11-17T03:00:00Z",
            hours: nil,
            startedAt: "2025-11-17T03:00:00Z",
            isClocked: true
        )
        try await end("/workplaces/\(id)", by: 9)
        #expect(try await shifts(early) == ["11-20T03:30 to 11-20T11:30, clocked 11-20T02:50 to 11-20T03:00"])
        #expect(try await shifts(late) == ["11-17T03:00 to 11-18T03:00, clocked 11-17T03:00 to 11-20T03:00"])
        #expect(try await world.count("clockings") == 0)
    }

    @Test(.service) func withdrawnApplication_leavesNoRows() async throws {
        let id = try await world.shared()
        _ = try await world.applicant(1, at: id)
        try await end("/workplaces/\(id)/workers/me", by: 1)
        _ = try await world.applicant(2, at: id)
        try await end("/workplaces/\(id)", by: 2)
        #expect(try await world.count("workers") == 1)
        #expect(try await world.count("wages") == 0)
    }
}
