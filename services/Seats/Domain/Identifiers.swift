import Contracts
import Postgres
import ServiceDatabase
import Subway

/// A saved path, and the journey on it once a train is chosen.
struct JourneyID: RowIdentifier {
    let rawValue: Int64
}

/// A request for another passenger's seat.
struct YieldRequestID: RowIdentifier {
    let rawValue: Int64
}

/// A favorite route.
struct FavoriteID: RowIdentifier {
    let rawValue: Int64
}

/// A report of one passenger about another.
struct ReportID: RowIdentifier {
    let rawValue: Int64
}

/// A tag of passenger profiles.
struct TagID: RowIdentifier {
    let rawValue: Int64
}

/// A socket message. Later messages have greater ids.
struct LiveMessageID: RowIdentifier {
    let rawValue: Int64

    /// The id before the first message.
    static let zero = LiveMessageID(rawValue: 0)
}

extension StationID: PostgresCodable, PostgresArrayElement {}
