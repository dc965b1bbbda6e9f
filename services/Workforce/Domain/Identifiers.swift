import Contracts
import Postgres
import ServiceDatabase

/// A series of recurring shifts.
struct SeriesID: RowIdentifier {
    let rawValue: Int64
}

/// A task of a routine.
struct RoutineTaskID: RowIdentifier {
    let rawValue: Int64
}
