import Contracts
import Payroll
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Alerts about memberships of workplaces.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct PlacesAlertTests {
    private func wage() throws -> WageDraft {
        try WageDraft(Wage(terms: WageTerms(cycle: .monthly, basis: .hourly), hourlyRate: 10_030))
    }

    private func shared(_ domain: WorkforceDomain) async throws -> WorkplaceID {
        try await domain.workplaces.create(
            WorkplaceDraft(name: "언덕카페", category: "카페"),
            own: .owner(color: "RED"),
            by: 9
        )
    }

    private func join(_ domain: WorkforceDomain, _ id: WorkplaceID, by account: AccountID) async throws -> WorkerID {
        let code = try await domain.invitations.code(of: id, renewing: false, by: 9).code
        return try await domain.invitations.join(with: code, color: "RED", wage: wage(), by: account).worker
    }

    @Test func membershipChanges_alertTheOtherSide() async throws {
        let domain = PlacesDomain.make()
        let id = try await shared(domain)
        let worker = try await join(domain, id, by: 1)
        let asked = try #require(try await AlertRecord.all().first)
        #expect(asked.workplace == id && asked.worker == worker)
        #expect(try await PlacesDomain.taken() == ["1>9 WORKPLACE_JOIN_REQUEST 하루|언덕카페"])
        for _ in 0..<2 { try await domain.staff.accept(worker, at: id, by: 9) }
        #expect(try await PlacesDomain.taken() == ["9>1 INVITE_APPROVED 언덕카페"])
        try await domain.staff.leave(id, by: 1)
        #expect(try await PlacesDomain.taken() == ["1>9 WORKER_LEFT 하루|언덕카페"])

        let again = try await join(domain, id, by: 1)
        try await domain.staff.accept(again, at: id, by: 9)
        let applicant = try await join(domain, id, by: 2)
        _ = try await PlacesDomain.taken()
        try await domain.staff.reject(applicant, at: id, by: 9)
        #expect(try await PlacesDomain.taken() == ["9>2 INVITE_REJECTED 언덕카페"])
        let third = try await join(domain, id, by: 2)
        _ = try await PlacesDomain.taken()
        // A withdrawn application sends no alert.
        try await domain.staff.leave(id, by: 2)
        #expect(try await PlacesDomain.taken() == [])
        await #expect(throws: WorkforceError.workerNotFound) { try await domain.staff.reject(third, at: id, by: 9) }
        try await domain.staff.remove(again, at: id, by: 9)
        #expect(try await PlacesDomain.taken() == ["9>1 WORKPLACE_REMOVED 언덕카페"])
    }

    @Test func workplaceDeletion_alertsWorkers() async throws {
        let domain = PlacesDomain.make()
        let id = try await shared(domain)
        try await domain.staff.accept(join(domain, id, by: 1), at: id, by: 9)
        _ = try await join(domain, id, by: 2)
        _ = try await PlacesDomain.taken()
        try await domain.workplaces.delete(id, by: 9)
        #expect(try await PlacesDomain.taken() == ["9>1 WORKPLACE_DELETED 언덕카페"])
    }

    /// Refused calls send no alerts.
    @Test func refusedChanges_sendNoAlert() async throws {
        let domain = PlacesDomain.make()
        let id = try await shared(domain)
        let worker = try await join(domain, id, by: 1)
        _ = try await PlacesDomain.taken()
        await #expect(throws: WorkforceError.memberAlready) { try await join(domain, id, by: 1) }
        await #expect(throws: WorkforceError.forbidden) { try await domain.staff.accept(worker, at: id, by: 8) }
        try await domain.staff.accept(worker, at: id, by: 9)
        _ = try await PlacesDomain.taken()
        await #expect(throws: WorkforceError.undeletable) { try await domain.staff.reject(worker, at: id, by: 9) }
        #expect(try await PlacesDomain.taken() == [])
    }
}
