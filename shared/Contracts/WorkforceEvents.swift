package import FoundationEssentials

/// What the workforce service announces.
package enum WorkforceEvents {
    /// The service has let go of whatever was an account's alone, and made anonymous what others need, after its owner left
    /// (`AuthEvents.AccountWithdrawn`). Said each time that it is told, also when there was nothing.
    package struct AccountErased: Event, Equatable {
        package static let name = "workforce.account-erased"

        package var account: Int64

        package var key: String { String(account) }

        package init(account: Int64) {
            self.account = account
        }
    }

    /// Something happened, or is due, that somebody should hear of. Notifications keeps it in their list and pushes it to
    /// their devices (MOUP contract 4, notification kinds).
    package struct MemberAlerted: Event, Equatable {
        package static let name = "workforce.member-alerted"

        /// Who is to hear of it.
        package var account: Int64
        /// Who caused it; nil for what is due.
        package var sender: Int64?
        package var kind: AlertKind
        /// What the kind's texts are filled with, in the order that `AlertKind` gives.
        package var arguments: [String]
        package var workplace: Int64?
        package var worker: Int64?
        package var shift: Int64?
        package var routine: Int64?
        /// One alert per id.
        package var id: UUID

        package var key: String { String(account) }

        package init(
            account: Int64,
            sender: Int64? = nil,
            kind: AlertKind,
            arguments: [String],
            workplace: Int64? = nil,
            worker: Int64? = nil,
            shift: Int64? = nil,
            routine: Int64? = nil,
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

    /// What somebody in MOUP is alerted of. The first four are the push types that the client knows (MOUP contract 4).
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
        /// To the owner: the nickname of who has left, the workplace's name.
        case workerLeft = "WORKER_LEFT"
        /// To everybody at a workplace that is gone: its name.
        case workplaceDeleted = "WORKPLACE_DELETED"
        /// To a worker for whom the owner has planned: the workplace's name, the first day (`yyyy-MM-dd`), how many.
        case shiftsAdded = "WORK_ADDED"
        /// To a worker whose plan the owner has changed: as `shiftsAdded`.
        case shiftsChanged = "WORK_CHANGED"
        /// To a worker whose plan the owner has shortened: as `shiftsAdded`.
        case shiftsRemoved = "WORK_REMOVED"
        /// To a worker before a planned shift: the workplace's name, when it starts (`HH:mm`, in Korea).
        case shiftDue = "WORK_REMINDER"
        /// At a routine's time on the day of a shift: the routine's name, the workplace's name.
        case routineDue = "ROUTINE_REMINDER"
    }
}
