import Apps
import Contracts
import FoundationEssentials
import Values

/// The JSON of shifts in lists (MOUP contract 1.3, WorkSummary), for one user.
///
/// It is written without an encoder, which would take most of the response time of a calendar; each worker and
/// workplace is encoded once.
struct WorkText {
    private(set) var bytes: [UInt8] = []
    private let account: AccountID
    /// Encoded `WorkerSummary` and `WorkplaceSummary`, by id.
    private var workers: [WorkerID: [UInt8]] = [:]
    private var workplaces: [WorkplaceID: [UInt8]] = [:]
    private let encoder: JSONEncoder

    init(shownTo account: AccountID) {
        self.account = account
        encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    /// `{"workSummaryInfoList":[…]}`.
    static func list(_ entries: [CalendarEntry], shownTo account: AccountID) throws -> [UInt8] {
        var text = WorkText(shownTo: account)
        text.bytes.reserveCapacity(64 + 768 * entries.count)
        text.append(#"{"workSummaryInfoList":["#)
        for (index, entry) in entries.enumerated() {
            if index > 0 { text.append(",") }
            try text.append(entry)
        }
        text.append("]}")
        return text.bytes
    }
}

extension WorkText {
    mutating func append(_ entry: CalendarEntry) throws {
        append(#"{"workId":"#)
        append(String(entry.id))
        append(#","workerSummaryInfo":"#)
        bytes += try encoded(WorkerSummary(entry.worker), of: entry.worker.id, in: \.workers)
        append(#","workplaceSummaryInfo":"#)
        bytes += try encoded(WorkplaceSummary(entry.workplace), of: entry.workplace.id, in: \.workplaces)
        append(#","workDate":"#)
        append(entry.date)
        append(#","startTime":"#)
        append(entry.startsAt)
        append(#","endTime":"#)
        if let end = entry.endsAt { append(end) } else { append("null") }
        append(#","workMinutes":"#)
        append(entry.netMinutes)
        append(#","restTimeMinutes":"#)
        append(entry.restMinutes)
        append(#","estimatedNetIncome":"#)
        append(entry.pay(shownTo: account))
        append(#","repeatDays":["#)
        for (index, day) in (entry.recurrence?.days.days ?? []).enumerated() {
            append(index == 0 ? "\"" : ",\"")
            append(DayOfWeek(day).rawValue)
            append("\"")
        }
        append(#"],"repeatEndDate":"#)
        if let until = entry.recurrence?.until { append(until) } else { append("null") }
        append(entry.isOfWorker(account) ? #","isMyWork":true"# : #","isMyWork":false"#)
        append(entry.isEditable(by: account) ? #","isEditable":true}"# : #","isEditable":false}"#)
    }

    private mutating func encoded<ID: Identifier>(
        _ value: @autoclosure () -> some Encodable,
        of id: ID,
        in known: WritableKeyPath<WorkText, [ID: [UInt8]]>
    ) throws -> [UInt8] {
        if let text = self[keyPath: known][id] { return text }
        let text = [UInt8](try encoder.encode(value()))
        self[keyPath: known][id] = text
        return text
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ number: Int) { append(String(number)) }

    /// `"yyyy-MM-dd"`
    private mutating func append(_ date: CivilDate) {
        append("\"")
        appendDigits(of: date)
        append("\"")
    }

    /// `"yyyy-MM-ddTHH:mm:ssZ"`, in UTC.
    private mutating func append(_ instant: Date) {
        // All instants are after 1970.
        let (day, time) = Int(instant.timeIntervalSince1970.rounded(.down)).quotientAndRemainder(dividingBy: 86_400)
        append("\"")
        appendDigits(of: CivilDate(dayNumber: day))
        append("T")
        appendDigits(time / 3600, ":")
        appendDigits(time / 60 % 60, ":")
        appendDigits(time % 60, "Z\"")
    }

    private mutating func appendDigits(of date: CivilDate) {
        let month = date.month
        appendDigits(month.year / 100, "")
        appendDigits(month.year % 100, "-")
        appendDigits(month.month, "-")
        appendDigits(date.dayNumber - month.first.dayNumber + 1, "")
    }

    /// Appends two digits and a suffix.
    private mutating func appendDigits(_ number: Int, _ suffix: String) {
        bytes.append(UInt8(truncatingIfNeeded: 48 + number / 10))
        bytes.append(UInt8(truncatingIfNeeded: 48 + number % 10))
        append(suffix)
    }
}
