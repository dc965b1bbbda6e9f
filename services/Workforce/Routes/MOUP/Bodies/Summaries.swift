import Apps
import Contracts
import Values

/// A workplace in a list (MOUP contract 1.3, WorkplaceSummary).
struct WorkplaceSummary: Encodable, Equatable {
    var workplaceId: WorkplaceID
    var workplaceName: String
    var isShared: Bool
    var status: Status

    /// The state of the workplace for the caller.
    enum Status: String, Encodable {
        case active = "ACTIVE"
        /// The caller's membership is pending.
        case pending = "PENDING_APPROVAL"
        /// The creator's account is withdrawn.
        case abandoned = "OWNER_WITHDRAWN"
    }

    /// - Parameter isAccepted: whether the caller's membership is accepted.
    init(_ workplace: Workplace, isAccepted: Bool = true) {
        workplaceId = workplace.id
        workplaceName = workplace.name
        isShared = workplace.isShared
        status = workplace.isAbandoned ? .abandoned : isAccepted ? .active : .pending
    }
}

/// A worker in a list (MOUP contract 1.3, WorkerSummary).
struct WorkerSummary: Encodable, Equatable {
    var workerId: WorkerID
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

/// Calendar colors: texts defined by the app.
enum LabelColor {
    /// The default: some versions of the app cannot decode null (MOUP contract 5, 4).
    static let usual = "BLUE"
}

/// A routine in a list (MOUP contract 1.3, RoutineSummary).
struct RoutineSummary: Encodable, Equatable {
    var routineId: RoutineID
    var routineName: String
    @Nullable var alarmTime: ClockTime?
    var linkedWorks: [LinkedWork]

    struct LinkedWork: Encodable, Equatable {
        var workId: ShiftID
        /// Empty for a single shift.
        var repeatDays: [DayOfWeek]
    }
}
