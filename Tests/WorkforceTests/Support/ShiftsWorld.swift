import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing
import Values

@testable import Workforce

/// Workplaces, their workers and routines, for tests of shifts.
enum ShiftsWorld {
    private static var database: PostgresClient { TestDatabase.current.client }

    /// A workplace and its creator's worker row.
    static func workplace(
        of creator: AccountID,
        name: String = "언덕카페",
        isShared: Bool = true
    ) async throws -> (id: WorkplaceID, worker: WorkerID) {
        let id = try await database.one(
            """
            INSERT INTO workplaces (creator_id, name, category, is_shared)
            VALUES (\(creator), \(name), '카페', \(isShared)) RETURNING id
            """
        ) { try $0.decode(WorkplaceID.self) }
        return (id, try await worker(creator, at: id, wage: nil))
    }

    /// A worker row of an account at a workplace; without a wage an hourly one is stored.
    static func worker(
        _ account: AccountID,
        at workplace: WorkplaceID,
        isAccepted: Bool = true,
        wage: Wage? = .withAllowances()
    ) async throws -> WorkerID {
        let worker = try await database.one(
            """
            INSERT INTO workers (workplace_id, account_id, worker_color, is_accepted)
            VALUES (\(workplace), \(account), 'RED', \(isAccepted)) RETURNING id
            """
        ) { try $0.decode(WorkerID.self) }
        if let wage { try await pay(wage, to: worker, since: CivilMonth(year: 2025, month: 1)) }
        return worker
    }

    static func pay(_ wage: Wage, to worker: WorkerID, since month: CivilMonth) async throws {
        try await database.transaction { try await WageStore().save(wage, of: worker, since: month.first, in: $0) }
    }

    /// A shop of owner 9 with workers 1 and 2.
    static func shop() async throws -> Shop {
        let (id, owner) = try await workplace(of: 9)
        return Shop(id: id, owner: owner, first: try await worker(1, at: id), second: try await worker(2, at: id))
    }

    struct Shop: Sendable {
        var id: WorkplaceID
        /// The worker rows of the owner 9, of 1 and of 2.
        var owner: WorkerID
        var first: WorkerID
        var second: WorkerID
    }

    static func routine(
        of account: AccountID,
        name: String = "오픈",
        alarm: Int? = 480,
        tasks: [String] = ["청소", "정산"]
    ) async throws -> (id: RoutineID, tasks: [RoutineTaskID]) {
        let id = try await database.one(
            """
            INSERT INTO routines (account_id, name, alarm_minute) VALUES (\(account), \(name), \(alarm)) RETURNING id
            """
        ) { try $0.decode(RoutineID.self) }
        let numbers = Array(tasks.indices)
        let ids = try await database.all(
            """
            INSERT INTO routine_tasks (routine_id, content, order_index)
            SELECT \(id), content, number FROM unnest(\(tasks), \(numbers)) AS n (content, number) ORDER BY number
            RETURNING id
            """
        ) { try $0.decode(RoutineTaskID.self) }
        return (id, ids)
    }

    static func complete(_ task: RoutineTaskID, on shift: ShiftID) async throws {
        try await database.execute("INSERT INTO completions (shift_id, task_id) VALUES (\(shift), \(task))")
    }

    // MARK: Stored rows

    static func shifts(of worker: WorkerID) async throws -> [ShiftRecord] {
        try await database.all(
            "SELECT \(ShiftStore.columns) FROM shifts s WHERE worker_id = \(worker) ORDER BY date, starts_at, id"
        ) { ShiftRecord(try $0.decode(as: ShiftRecord.Columns.self)) }
    }

    static func shift(_ id: ShiftID) async throws -> ShiftRecord? { try await ShiftStore().shift(id, in: database) }

    static func count(_ table: SQL) async throws -> Int {
        try await database.one("SELECT count(*) FROM \(table)") { try $0.decode(Int.self) }
    }

    /// The routines of a shift.
    static func routines(of shift: ShiftID) async throws -> [RoutineID] {
        try await database.all("SELECT routine_id FROM shift_routines WHERE shift_id = \(shift) ORDER BY 1") {
            try $0.decode(RoutineID.self)
        }
    }

    static func completions(of shift: ShiftID) async throws -> [RoutineTaskID] {
        try await database.all("SELECT task_id FROM completions WHERE shift_id = \(shift) ORDER BY 1") {
            try $0.decode(RoutineTaskID.self)
        }
    }

    /// A series: its weekdays and its last day.
    static func series(of shift: ShiftID) async throws -> Recurrence? {
        try await database.optional(
            "SELECT e.days, e.until FROM series e JOIN shifts s ON s.series_id = e.id WHERE s.id = \(shift)"
        ) { row in
            let (days, until) = try row.decode(Int.self, CivilDate.self)
            return Recurrence(days: Weekdays(rawValue: days), until: until)
        }
    }

    /// The gross pay of a worker's months.
    static func months(of worker: WorkerID) async throws -> [String: Int] {
        let rows = try await database.all("SELECT month, gross_pay FROM months WHERE worker_id = \(worker)") {
            try $0.decode(CivilMonth.self, Int.self)
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0.description, $0.1) })
    }

    static func change(_ statement: SQL) async throws { try await database.execute(statement) }

    /// Inserts a shift as clocking records it, regardless of overlaps.
    static func record(_ start: String, _ end: String, of worker: WorkerID, at workplace: WorkplaceID) async throws {
        let (from, to) = (try seoul(start), try seoul(end))
        try await database.execute(
            """
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, started_at, ended_at, rest_minutes,
                hourly_rate, has_night_allowance, has_holiday_allowance)
            VALUES (\(worker), \(workplace), \(SeoulTime.date(of: from)), \(from), \(to), \(from), \(to), 0, 0, false,
                false)
            """
        )
    }

    /// The shift that an account is clocked in to.
    static func clocking(of account: AccountID) async throws -> ShiftID? {
        try await database.optional("SELECT shift_id FROM clockings WHERE account_id = \(account)") {
            try $0.decode(ShiftID.self)
        }
    }
}

extension Wage {
    /// An hourly wage with the allowances.
    static func withAllowances(_ rate: Int = 10_030) -> Wage {
        hourly(rate) { wage in
            wage.hasHolidayAllowance = true
            wage.hasNightAllowance = true
        }
    }
}

/// A shift as a client sends it.
struct WorkJSON {
    /// Korean times, `yyyy-MM-ddTHH:mm`.
    var start: String
    var end: String
    var rest = 0
    var memo: String?
    var actual: (start: String?, end: String?) = (nil, nil)
    /// nil in an owner's request, which has none.
    var routines: [RoutineID]? = []
    var days: [String] = []
    var until: String?
    var workers: [WorkerID]?

    func with(routines: [RoutineID]) -> WorkJSON {
        var work = self
        work.routines = routines
        return work
    }

    var text: String {
        var members = [
            #""startTime":"\#(start):00+09:00""#, #""endTime":"\#(end):00+09:00""#, #""restTimeMinutes":\#(rest)"#,
            #""repeatDays":\#(days)"#,
        ]
        if let memo { members.append(#""memo":"\#(memo)""#) }
        if let start = actual.start { members.append(#""actualStartTime":"\#(start):00+09:00""#) }
        if let end = actual.end { members.append(#""actualEndTime":"\#(end):00+09:00""#) }
        if let until { members.append(#""repeatEndDate":"\#(until)""#) }
        if let routines { members.append(#""routineIdList":\#(routines)"#) }
        if let workers { members.append(#""workerIdList":\#(workers)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}

/// The response with the ids of new shifts.
struct WorkIDList: Decodable { var workIdList: [ShiftID] }

extension WorkforceWorld {
    /// Plans shifts for the account itself.
    func add(_ work: WorkJSON, at workplace: WorkplaceID, by account: AccountID) async throws -> [ShiftID] {
        let path = "/workplaces/\(workplace)/workers/me/works"
        let answer = try await client(account).send(.post, path, json: work.text)
        try #require(answer.status == .created, "\(answer.text)")
        return try answer.json(WorkIDList.self).workIdList
    }
}

/// A refusal of MOUP.
struct Refusal: Decodable {
    var errorCode: String
    var errorMessage: String
}

func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

/// A Korean time, `yyyy-MM-ddTHH:mm`.
func seoul(_ text: String) throws -> Date {
    let parts = text.split(separator: "T")
    let time = parts[1].split(separator: ":").compactMap { Int($0) }
    return SeoulTime.instant(try date(String(parts[0])), minute: time[0] * 60 + time[1])
}
