import Apps
import ServiceKit

extension PassengerError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .withdrawn:
            Problem(.unauthenticated, message: "This account is gone; sign in again.")
        case .userNotFound:
            Problem(.notFound, code: "USER_NOT_FOUND", title: "User Not Found", message: "There is no such user.")
        case .statusNotFound:
            Problem(
                .notFound,
                code: "USER_STATUS_NOT_FOUND",
                title: "User Status Not Found",
                message: "No status is saved."
            )
        case .tagNotFound:
            Problem(.notFound, code: "TAG_NOT_FOUND", title: "Tag Not Found", message: "There is no such tag.")
        case .reportNotFound:
            Problem(.notFound, code: "REPORT_NOT_FOUND", title: "Report Not Found", message: "There is no such report.")
        case .reportForbidden:
            Problem(.forbidden, code: "REPORT_FORBIDDEN", message: "Only reports of one's own can be made or seen.")
        case .reportOfOneself:
            Problem(.invalid, message: "reportedUserId must be another user.")
        case .reportRepeated:
            Problem(.conflict, code: "REPORT_REPEATED", message: "reason was given in another report of this user.")
        case .favoriteNotFound:
            Problem(
                .notFound,
                code: "FAVORITE_NOT_FOUND",
                title: "Favorite Not Found",
                message: "There is no such favorite."
            )
        case .favoriteForbidden:
            Problem(.forbidden, code: "FAVORITE_FORBIDDEN", message: "This favorite belongs to another user.")
        case .favoriteTaken:
            Problem(.conflict, code: "FAVORITE_TAKEN", message: "There is another favorite between these stations.")
        case .favoritesFull:
            Problem(.conflict, code: "FAVORITES_FULL", message: "There are \(Favorites.limit) favorites already.")
        case .stationNotFound:
            Problem(
                .notFound,
                code: "SUBWAY_STATION_NOT_FOUND",
                title: "Subway Station Not Found",
                message: "startStationId or endStationId is no station."
            )
        case .stationsUnfit:
            Problem(
                .invalid,
                code: "SUBWAY_LINE_MISMATCH",
                title: "Subway Line Mismatch",
                message: "startStationId and endStationId must be two stations of one line."
            )
        case .textInvalid(let field, let limit):
            Problem(.invalid, message: "\(field) must be 1 to \(limit) characters that can be shown, not all blank.")
        case .numberInvalid(let field):
            Problem(.invalid, message: "\(field) must be a whole number above 0.")
        }
    }
}
