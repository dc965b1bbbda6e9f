import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Payroll
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

extension WorkforceWorld {
    struct Refusal: Decodable {
        var errorCode: String
        var errorMessage: String
    }

    struct Place: Decodable {
        var workplaceId: WorkplaceID
        var workplaceName: String
        var status: String
        var isShared: Bool
    }

    struct Colleague: Decodable, Equatable {
        var workerId: WorkerID
        var nickname: String
        var profileImg: String?
        var ownerBasedLabelColor: String
        var isAccepted: Bool
    }

    /// Sends a request; returns `status CODE` of a refusal.
    func refusal(
        _ account: AccountID,
        _ method: HTTPRequest.Method,
        _ path: String,
        json: String? = nil
    ) async throws -> String {
        let answer = try await client(account).send(method, path, json: json)
        guard answer.status.code >= 400 else { return "\(answer.status.code)" }
        return "\(answer.status.code) \(try answer.json(Refusal.self).errorCode)"
    }

    /// A worker's own workplace.
    func personal(_ name: String = "언덕카페", of account: AccountID = 1, more: String = "") async throws -> WorkplaceID {
        let body = PlacesBodies.personal(name, more: more)
        let answer = try await client(account).send(.post, "/workplaces", json: body)
        #expect(answer.status == .created, "\(answer.text)")
        return try answer.json([String: WorkplaceID].self)["workplaceId"] ?? 0
    }

    /// An owner's workplace.
    func shared(_ name: String = "언덕카페", of account: AccountID = 9) async throws -> WorkplaceID {
        let answer = try await client(account).send(.post, "/workplaces", json: PlacesBodies.shared(name))
        #expect(answer.status == .created, "\(answer.text)")
        return try answer.json([String: WorkplaceID].self)["workplaceId"] ?? 0
    }

    struct Code: Decodable, Equatable {
        var inviteCode: String
        var returnAlreadyExists: Bool
    }

    func code(of workplace: WorkplaceID, by account: AccountID = 9) async throws -> String {
        try await client(account).send(.put, "/workplaces/\(workplace)/invite-code").json(Code.self).inviteCode
    }

    /// - Returns: the worker's id; the owner has not decided yet.
    func applicant(_ account: AccountID = 1, at workplace: WorkplaceID, by owner: AccountID = 9) async throws
        -> WorkerID
    {
        let body = PlacesBodies.join(try await code(of: workplace, by: owner))
        let answer = try await client(account).send(.post, "/workplaces/join", json: body)
        #expect(answer.status == .created, "\(answer.text)")
        return try answer.json([String: WorkerID].self)["workerId"] ?? 0
    }

    /// - Returns: the id of an accepted worker.
    func member(_ account: AccountID = 1, at workplace: WorkplaceID, by owner: AccountID = 9) async throws -> WorkerID {
        let worker = try await applicant(account, at: workplace, by: owner)
        let answer = try await client(owner).send(.patch, "/workplaces/\(workplace)/workers/\(worker)/accept")
        #expect(answer.status == .noContent)
        return worker
    }

    func places(of account: AccountID) async throws -> [Place] {
        try await client(account).send(.get, "/workplaces").json([String: [Place]].self)["workplaceSummaryInfoList"]
            ?? []
    }

    func colleagues(at workplace: WorkplaceID, by owner: AccountID = 9, query: String = "") async throws -> [Colleague]
    {
        try await client(owner).send(.get, "/workplaces/\(workplace)/workers\(query)")
            .json([String: [Colleague]].self)["workerSummaryInfoList"] ?? []
    }

    /// Stores a shift of eight hours, as the calls for shifts do.
    ///
    /// - Parameter start: as `2025-11-05T03:00:00Z`.
    @discardableResult
    func shift(
        of worker: WorkerID,
        start: String,
        hours: Int? = 8,
        startedAt: String? = nil,
        isClocked: Bool = false
    ) async throws -> ShiftID {
        let begin = ManualClock.instant(start)
        let end = hours.map { begin + Double($0) * 3600 }
        let date = SeoulTime.date(of: begin)
        return try await database.transaction { transaction in
            try await WorkplaceStore().lock(worker: worker, in: transaction)
            let snapshot = try await WageStore().history(of: worker, in: transaction).snapshot(on: date)
            let id = try await transaction.one(
                """
                INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, started_at,
                    hourly_rate, has_night_allowance, has_holiday_allowance)
                SELECT k.id, k.workplace_id, \(date), \(begin), \(end), 0, \(startedAt.map(ManualClock.instant)),
                    \(snapshot.hourlyRate), \(snapshot.hasNightAllowance), \(snapshot.hasHolidayAllowance)
                FROM workers k WHERE k.id = \(worker) RETURNING id
                """
            ) { try $0.decode(ShiftID.self) }
            if isClocked {
                try await transaction.execute(
                    """
                    INSERT INTO clockings (account_id, worker_id, shift_id)
                    SELECT account_id, id, \(id) FROM workers WHERE id = \(worker)
                    """
                )
            }
            try await PayrollProjection().refresh(worker, around: [date], in: transaction)
            return id
        }
    }

    /// The gross pay of a worker's months, in order: `2025-11 80240`.
    func months(of worker: WorkerID) async throws -> [String] {
        try await database.all("SELECT month, gross_pay FROM months WHERE worker_id = \(worker) ORDER BY month") {
            let (month, gross) = try $0.decode(CivilMonth.self, Int.self)
            return "\(month) \(gross)"
        }
    }
}
