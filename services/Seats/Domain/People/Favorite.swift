import Subway
import Values

/// A favorite route: two stations of one line under a name.
struct Favorite: Sendable, Equatable {
    /// An end of the route, as shown in lists.
    struct Stop: Sendable, Equatable {
        var id: StationID
        var name: String
        /// The line's name, `LINE_2`.
        var line: String
    }

    var id: FavoriteID
    var name: String
    var start: Stop
    var end: Stop
}

/// The values of a new or changed favorite.
struct FavoriteDraft: Sendable, Equatable {
    static let nameLimit = 50

    var name: String
    var start: StationID
    var end: StationID

    /// - Throws: `PassengerError.textInvalid`, `.stationsUnfit` if both stations are the same.
    init(name: String, start: StationID, end: StationID) throws(PassengerError) {
        self.name = try TypedText.checked(name, field: "name", limit: Self.nameLimit)
        guard start != end else { throw .stationsUnfit }
        self.start = start
        self.end = end
    }
}
