import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Shifts that routines can be linked to.
extension WorkforceWorld {
    /// A shared workplace of account 9 with a worker.
    func place(of account: AccountID, isAccepted: Bool = true) async throws -> (
        workplace: WorkplaceID, worker: WorkerID
    ) {
        let workplace = try await database.one(
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared)
            VALUES (9, \("언덕카페 \(UInt32.random(in: 0 ... .max))"), '카페', true) RETURNING id
            """
        ) { try $0.decode(WorkplaceID.self) }
        let worker = try await database.one(
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted)
            VALUES (\(workplace), \(account), \(isAccepted)) RETURNING id
            """
        ) { try $0.decode(WorkerID.self) }
        return (workplace, worker)
    }

    func shift(
        _ place: (workplace: WorkplaceID, worker: WorkerID),
        on date: CivilDate,
        at minute: Int = 540,
        minutes: Int? = 300,
        routines: [RoutineID] = [],
        series: SeriesID? = nil
    ) async throws -> ShiftID {
        let start = SeoulTime.instant(date, minute: minute)
        let id = try await database.one(
            """
            INSERT INTO shifts (worker_id, workplace_id, series_id, series_date, date, starts_at, ends_at, rest_minutes,
                hourly_rate, has_night_allowance, has_holiday_allowance)
            VALUES (\(place.worker), \(place.workplace), \(series), \(date), \(date), \(start),
                \(minutes.map { start + Double($0 * 60) }), 0, 0, false, false) RETURNING id
            """
        ) { try $0.decode(ShiftID.self) }
        for routine in routines {
            try await database.execute("INSERT INTO shift_routines (shift_id, routine_id) VALUES (\(id), \(routine))")
        }
        return id
    }

    /// Creates a routine; returns its id.
    func routine(_ account: AccountID, _ name: String, alarm: String? = nil, tasks: [String] = ["불 켜기"]) async throws
        -> RoutineID
    {
        let answer = try await client(account).send(
            .post,
            "/routines",
            json: Self.body(name, alarm: alarm, tasks: tasks)
        )
        #expect(answer.status == .created, "\(answer.text)")
        return try #require(answer.json([String: RoutineID].self)["routineId"])
    }

    static func body(_ name: String, alarm: String? = nil, tasks: [String] = ["불 켜기"]) -> String {
        let list = tasks.enumerated().map { #"{"content":"\#($1)","orderIndex":\#($0)}"# }.joined(separator: ",")
        let time = alarm.map { "\"\($0)\"" } ?? "null"
        return #"{"routineName":"\#(name)","alarmTime":\#(time),"routineTaskList":[\#(list)],"more":1}"#
    }
}

/// A routine as the client decodes it.
struct RoutineBody: Decodable, Equatable {
    var routineId: RoutineID
    var routineName: String
    var alarmTime: String?
    var linkedWorks: [Link]
    var routineTaskList: [Task]?

    struct Link: Decodable, Equatable {
        var workId: ShiftID
        var repeatDays: [String]
    }

    struct Task: Decodable, Equatable {
        var taskId: RoutineTaskID
        var routineId: RoutineID
        var content: String
        var orderIndex: Int64
        var isCompleted: Bool?
    }
}

struct RoutineListBody: Decodable { var routineSummaryInfoList: [RoutineBody] }

extension TestResponse {
    /// Status and error code: "404 ROUTINE_404".
    var refusal: String {
        get throws {
            struct Body: Decodable { var errorCode: String }
            return "\(status.code) \(try json(Body.self).errorCode)"
        }
    }
}
