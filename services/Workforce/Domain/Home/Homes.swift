import Contracts
import FoundationEssentials
import Postgres
import Values

/// The home screen (MOUP contract 3A.11), for the current calendar month in Korea.
struct Homes: Sendable {
    let database: PostgresClient
    let people: People
    let now: @Sendable () -> Date
    private let store = HomeStore()

    /// - Throws: `WorkforceError.userNotFound`; `.forbidden` for a role other than worker and owner.
    func home(of account: AccountID) async throws -> Home {
        let person = try await people.person(account)
        let now = now()
        switch person.role {
        case .worker: return .worker(try await workerHome(of: account, at: now))
        case .owner: return .owner(try await ownerHome(of: account, at: now))
        case .admin, nil: throw WorkforceError.forbidden
        }
    }

    private func workerHome(of account: AccountID, at now: Date) async throws -> WorkerHome {
        let today = SeoulTime.date(of: now)
        async let places = store.paidPlaces(of: account, in: today.month, in: database)
        async let months = store.months(ofWorker: account, today.month, at: now, in: database)
        async let routines = store.routines(of: account, on: today, in: database)
        let kept = try await months
        return WorkerHome(
            today: today,
            routines: try await routines,
            places: try await places.map { place in
                WorkerHome.Place(
                    workplace: place.workplace,
                    wage: place.wage,
                    isNowWorking: place.isNowWorking,
                    months: kept[place.worker] ?? TwoMonths()
                )
            }
        )
    }

    private func ownerHome(of account: AccountID, at now: Date) async throws -> OwnerHome {
        let today = SeoulTime.date(of: now)
        async let workplaces = store.workplaces(of: account, in: database)
        async let workers = store.workers(ofOwner: account, today.month, at: now, in: database)
        async let routines = store.routines(of: account, on: today, in: database)
        let staff = Dictionary(grouping: try await workers, by: \.workplace)
        return OwnerHome(
            today: today,
            routines: try await routines,
            places: try await workplaces.map { OwnerHome.Place(workplace: $0, workers: staff[$0.id] ?? []) }
        )
    }
}

enum Home: Sendable {
    case worker(WorkerHome)
    case owner(OwnerHome)
}

struct WorkerHome: Sendable {
    var today: CivilDate
    /// The number of routines on today's shifts.
    var routines: Int
    var places: [Place]

    struct Place: Sendable {
        var workplace: Workplace
        /// The wage of the current month.
        var wage: Wage
        var isNowWorking: Bool
        var months: TwoMonths
    }
}

struct OwnerHome: Sendable {
    var today: CivilDate
    var routines: Int
    var places: [Place]

    struct Place: Sendable {
        var workplace: Workplace
        var workers: [Staff]
    }

    /// A worker with wages and a shift in the current or the previous month.
    struct Staff: Sendable {
        var worker: WorkerID
        var workplace: WorkplaceID
        var nickname: String
        var months: TwoMonths
    }
}
