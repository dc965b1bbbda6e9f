import AppWire

/// A workplace in a list (MOUP contract 1.3, WorkplaceSummary).
struct WorkplaceSummary: Encodable, Equatable {
    var workplaceId: Int64
    var workplaceName: String
    var isShared: Bool
    var status: Status

    /// Whether it is open to whoever asks.
    enum Status: String, Encodable {
        case active = "ACTIVE"
        /// The owner has not decided about who asks.
        case pending = "PENDING_APPROVAL"
        /// Its creator has left the app.
        case abandoned = "OWNER_WITHDRAWN"
    }

    /// - Parameter isAccepted: whether whoever asks has been accepted there.
    init(_ workplace: Workplace, isAccepted: Bool = true) {
        workplaceId = workplace.id
        workplaceName = workplace.name
        isShared = workplace.isShared
        status = workplace.isAbandoned ? .abandoned : isAccepted ? .active : .pending
    }
}

/// A worker in a list (MOUP contract 1.3, WorkerSummary).
struct WorkerSummary: Encodable, Equatable {
    var workerId: Int64
    var workerBasedLabelColor: String
    var ownerBasedLabelColor: String
    var nickname: String
    @Nullable var profileImg: String?
    var isAccepted: Bool

    init(_ worker: Worker) {
        workerId = worker.id
        workerBasedLabelColor = worker.workerColor ?? LabelColor.usual
        ownerBasedLabelColor = worker.ownerColor ?? LabelColor.usual
        nickname = worker.person.shownName
        profileImg = worker.person.isWithdrawn ? nil : worker.person.image
        isAccepted = worker.isAccepted
    }
}

/// Colours of calendars: texts of the app's own choice.
enum LabelColor {
    /// Where none was chosen: some builds of the app cannot read null (MOUP contract 5, 4).
    static let usual = "BLUE"
}

/// A routine in a list (MOUP contract 1.3, RoutineSummary).
struct RoutineSummary: Encodable, Equatable {
    var routineId: Int64
    var routineName: String
    @Nullable var alarmTime: ClockTime?
    var linkedWorks: [LinkedWork]

    struct LinkedWork: Encodable, Equatable {
        var workId: Int64
        /// Empty for a single shift.
        var repeatDays: [DayOfWeek]
    }
}
