package import FoundationEssentials

/// The events of the workforce service.
package enum WorkforceEvents {
    /// The service has erased the data of a withdrawn account (`AuthEvents.AccountWithdrawn`) and anonymized the data
    /// that other users need. Published for each withdrawal event received, even if there was no data.
    package struct AccountErased: Event, Equatable {
        package static let name = "workforce.account-erased"

        package var account: AccountID

        package var key: String { String(account) }

        package init(account: AccountID) {
            self.account = account
        }
    }

    /// A notification for a MOUP user, about an event or a due date. The notifications service stores it in the user's
    /// list and pushes it to their devices (MOUP contract 4, notification kinds).
    package struct MemberAlerted: Event, Equatable {
        package static let name = "workforce.member-alerted"

        /// The recipient.
        package var account: AccountID
        /// The account that caused the event; nil for a due date.
        package var sender: AccountID?
        package var kind: AlertKind
        /// The arguments of the kind's texts, in the order given by `AlertKind`.
        package var arguments: [String]
        package var workplace: WorkplaceID?
        package var worker: WorkerID?
        package var shift: ShiftID?
        package var routine: RoutineID?
        /// The id of the notification; one notification is shown per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(
            account: AccountID,
            sender: AccountID? = nil,
            kind: AlertKind,
            arguments: [String],
            workplace: WorkplaceID? = nil,
            worker: WorkerID? = nil,
            shift: ShiftID? = nil,
            routine: RoutineID? = nil,
            id: UUID = UUID()
        ) {
            self.account = account
            self.sender = sender
            self.kind = kind
            self.arguments = arguments
            self.workplace = workplace
            self.worker = worker
            self.shift = shift
            self.routine = routine
            self.id = id
        }
    }

    /// The kinds of MOUP notifications. The first four are the push types that the client knows (MOUP contract 4).
    package enum AlertKind: String, Codable, Sendable, CaseIterable {
        /// To the owner: the applicant's nickname, the workplace's name.
        case joinRequested = "WORKPLACE_JOIN_REQUEST"
        /// To the applicant: the workplace's name.
        case joinAccepted = "INVITE_APPROVED"
        /// To the applicant: the workplace's name.
        case joinRejected = "INVITE_REJECTED"
        /// To a worker on the day: the workplace's name.
        case payDay = "PAYDAY_REMINDER"
        /// To a worker whom the owner has removed: the workplace's name.
        case removed = "WORKPLACE_REMOVED"
        /// To the owner: the nickname of the worker who left, the workplace's name.
        case workerLeft = "WORKER_LEFT"
        /// To all members of a deleted workplace: its name.
        case workplaceDeleted = "WORKPLACE_DELETED"
        /// To a worker whose shifts the owner has added: the workplace's name, the first day (`yyyy-MM-dd`), the number
        /// of shifts.
        case shiftsAdded = "WORK_ADDED"
        /// To a worker whose shifts the owner has changed: as `shiftsAdded`.
        case shiftsChanged = "WORK_CHANGED"
        /// To a worker whose shifts the owner has removed: as `shiftsAdded`.
        case shiftsRemoved = "WORK_REMOVED"
        /// To a worker before a planned shift: the workplace's name, when it starts (`HH:mm`, in Korea).
        case shiftDue = "WORK_REMINDER"
        /// At a routine's time on the day of a shift: the routine's name, the workplace's name.
        case routineDue = "ROUTINE_REMINDER"
    }
}
