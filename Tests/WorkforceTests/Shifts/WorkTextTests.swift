import Contracts
import FoundationEssentials
import TestKit
import Testing
import Values

@testable import Workforce

/// The JSON text of calendars, compared with the output of an encoder.
@Suite struct WorkTextTests {
    private struct Summary: Encodable {
        var workId: ShiftID
        var workerSummaryInfo: WorkerSummary
        var workplaceSummaryInfo: WorkplaceSummary
        var workDate: WireDate
        var startTime: Instant
        @Nullable var endTime: Instant?
        var workMinutes: Int
        var restTimeMinutes: Int
        var estimatedNetIncome: Int
        var repeatDays: [DayOfWeek]
        @Nullable var repeatEndDate: WireDate?
        var isMyWork: Bool
        var isEditable: Bool

        init(_ entry: CalendarEntry, shownTo account: AccountID) {
            workId = entry.id
            workerSummaryInfo = WorkerSummary(entry.worker)
            workplaceSummaryInfo = WorkplaceSummary(entry.workplace)
            workDate = WireDate(entry.date)
            startTime = Instant(entry.startsAt)
            endTime = entry.endsAt.map(Instant.init)
            workMinutes = entry.netMinutes
            restTimeMinutes = entry.restMinutes
            estimatedNetIncome = entry.pay(shownTo: account)
            repeatDays = entry.recurrence?.days.days.map(DayOfWeek.init) ?? []
            repeatEndDate = (entry.recurrence?.until).map(WireDate.init)
            isMyWork = entry.isOfWorker(account)
            isEditable = entry.isEditable(by: account)
        }
    }

    private func entry(_ random: inout SplitMix) -> CalendarEntry {
        let start = Date(timeIntervalSince1970: Double(Int.random(in: 946_684_800..<4_102_444_800, using: &random)))
        let names = ["하루", "a\"b\\c/d", "", "\u{1F600}\n\t\u{1}", "'; --"]
        let account = AccountID(rawValue: Int64.random(in: 1...3, using: &random))
        let worker = Int64.random(in: 1...4, using: &random)
        let place = Int64.random(in: 1...3, using: &random)
        return CalendarEntry(
            id: ShiftID(rawValue: Int64.random(in: 1 ... .max, using: &random)),
            date: SeoulTime.date(of: start),
            startsAt: start,
            endsAt: Bool.random(using: &random) ? start + 3600 : nil,
            restMinutes: Int.random(in: 0...1440, using: &random),
            netMinutes: Int.random(in: 0...1440, using: &random),
            netPay: Int.random(in: -5...1_000_000, using: &random),
            recurrence: Bool.random(using: &random)
                ? Recurrence(
                    days: Weekdays(rawValue: Int.random(in: 1...127, using: &random)),
                    until: SeoulTime.date(of: start) + Int.random(in: 0...365, using: &random)
                ) : nil,
            worker: Worker(
                id: WorkerID(rawValue: worker),
                workplace: WorkplaceID(rawValue: place),
                person: Person(
                    account: account,
                    nickname: names[Int(worker)],
                    image: worker == 1 ? "/i/1" : nil,
                    isWithdrawn: worker == 2
                ),
                isAccepted: true,
                hasParted: worker == 2
            ),
            workplace: Workplace(
                id: WorkplaceID(rawValue: place),
                creator: AccountID(rawValue: place),
                name: names[Int(place)],
                category: "c",
                isShared: place != 1,
                hasFiveOrMoreEmployees: false,
                isAbandoned: place == 3
            )
        )
    }

    @Test func workText_equalsEncoderOutput() throws {
        var random = SplitMix(state: 7)
        let entries = (0..<300).map { _ in entry(&random) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // The first entry of each worker and workplace determines its names in all entries.
        var (workers, places): ([WorkerID: Worker], [WorkplaceID: Workplace]) = ([:], [:])
        let seen = entries.map { entry in
            var entry = entry
            entry.worker.person = workers[entry.worker.id, default: entry.worker].person
            workers[entry.worker.id] = entry.worker
            places[entry.workplace.id] = entry.workplace
            return entry
        }
        for account: AccountID in [1, 2, 3] {
            let text = String(decoding: try WorkText.list(seen, shownTo: account), as: UTF8.self)
            let list = seen.map { Summary($0, shownTo: account) }
            let encoded = String(decoding: try encoder.encode(["workSummaryInfoList": list]), as: UTF8.self)
            #expect(try ShiftsJSON(text) == ShiftsJSON(encoded))
        }
    }

    @Test func workText_keepsOrderOfKeys() throws {
        var random = SplitMix(state: 1)
        let text = String(decoding: try WorkText.list([entry(&random)], shownTo: 1), as: UTF8.self)
        let keys = [
            "workId", "workerSummaryInfo", "workplaceSummaryInfo", "workDate", "startTime", "endTime", "workMinutes",
            "restTimeMinutes", "estimatedNetIncome", "repeatDays", "repeatEndDate", "isMyWork", "isEditable",
        ]
        let places = keys.compactMap { text.firstRange(of: "\"\($0)\":")?.lowerBound }
        #expect(places.count == keys.count)
        #expect(places == places.sorted())
        #expect(try WorkText.list([], shownTo: 1) == Array(#"{"workSummaryInfoList":[]}"#.utf8))
    }
}
