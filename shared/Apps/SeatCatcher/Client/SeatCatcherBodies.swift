package import Contracts

// The bodies that the app decodes; members that it requires are not optional (SeatCatcher contract 1.6 and 2.5).

package struct SeatCatcherProfile: Decodable, Sendable {
    package var userId: AccountID
    package var name: String
    package var profileImageNum: SeatCatcherImage
    package var credit: Int64
    package var tags: [SeatCatcherTag]
    package var hasOnBoarded: Bool
}

package enum SeatCatcherImage: String, Codable, Sendable {
    case one = "IMAGE_1"
    case two = "IMAGE_2"
    case three = "IMAGE_3"
    case four = "IMAGE_4"
    case five = "IMAGE_5"
    case six = "IMAGE_6"
}

package enum SeatCatcherTag: String, Codable, Sendable {
    case none = "USERTAG_NULL"
    case pregnant = "USERTAG_PREGNANT"
    case longDistance = "USERTAG_LONGDISTANCE"
    case lowHealth = "USERTAG_LOWHEALTH"
    case disabled = "USERTAG_DISABLED"
    case carrier = "USERTAG_CARRIER"
}

package struct SeatCatcherTrain: Decodable, Sendable {
    package var btrainNo: String
    package var ordkey: String
    package var barvlDt: String
    package var arvlMsg2: String
    package var arvlCd: Int
    package var bstatnNm: String
}

/// One section of a car.
package struct SeatCatcherSection: Decodable, Sendable, Equatable {
    package var trainCode: String
    package var carCode: String
    package var seatGroupType: SectionName
    package var seatStatus: [Seat]

    package enum SectionName: String, Codable, Sendable {
        case normalA14 = "NORMAL_A_14"
        case normalB14 = "NORMAL_B_14"
        case normalC14 = "NORMAL_C_14"
        case normalA12 = "NORMAL_A_12"
        case normalB12 = "NORMAL_B_12"
        case normalC12 = "NORMAL_C_12"
        case priorityA = "PRIORITY_A"
        case priorityB = "PRIORITY_B"
    }

    package enum SeatType: String, Codable, Sendable {
        case normal = "NORMAL"
        case priority = "PRIORITY"
        case pregnant = "PREGNANT"
    }

    package struct Seat: Decodable, Sendable, Equatable {
        package var seatId: SeatID
        package var seatLocation: Int
        package var seatType: SeatType
        package var occupant: Occupant?
    }

    package struct Occupant: Decodable, Sendable, Equatable {
        package var userId: AccountID
        package var nickname: String
        package var expectedArrivalTime: String
        package var profileImageNum: SeatCatcherImage
        package var getOffStationName: String
        package var tags: [SeatCatcherTag]
    }
}

package struct SeatCatcherJourney: Decodable, Sendable {
    package var pathHistoryId: Int64
    package var expectedArrivalTime: String
    package var nextScheduleTime: String
    package var arrived: Bool
}

package struct SeatCatcherPath: Decodable, Sendable {
    package var pathHistoryId: Int64
    package var expectedArrivalTime: String
    package var nextScheduleTime: String?
    package var arrived: Bool
}

/// The body on `.owner`. The app tries to decode a request first, and takes anything else for a cancellation.
package enum SeatCatcherSeatRequest: Decodable, Sendable, Equatable {
    case request(from: AccountID, amount: Int)
    case cancel(from: AccountID)

    private struct RequestBody: Decodable, Sendable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: SeatCatcherImage
        var creditAmount: Int
        var requestUserTags: [SeatCatcherTag]
    }

    private struct CancelBody: Decodable, Sendable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: SeatCatcherImage
    }

    package init(from decoder: any Decoder) throws {
        if let request = try? RequestBody(from: decoder) {
            self = .request(from: request.requestUserId, amount: request.creditAmount)
        } else {
            self = .cancel(from: try CancelBody(from: decoder).requestUserId)
        }
    }
}

/// The body on `.requester.{userId}`.
package struct SeatCatcherReply: Decodable, Sendable, Equatable {
    package var seatId: SeatID
    package var ownerId: AccountID
    package var oppositeUserId: AccountID
    package var ownerNickname: String
    package var ownerProfileImageNum: SeatCatcherImage
    package var isAccepted: Bool
}

package struct SeatCatcherStation: Decodable, Sendable {
    package var id: Int64
    package var name: String
    package var line: String
    package var timeMinSec: String
    package var acmlTime: Int64
    package var distKm: Double
    package var acmlDist: Double
}

/// The recent paths, of which the app asks for one page.
package struct SeatCatcherPaths: Decodable, Sendable {
    package var pathHistoryInfoList: [Path]
    package var nextCursor: Int64
    package var last: Bool

    package struct Path: Decodable, Sendable {
        package var id: Int64
        package var startStationId: Int64
        package var startStationName: String
        package var startline: String
        package var endStationId: Int64
        package var endStationName: String
        package var endline: String
        package var expectedArrivalTime: String
        package var createdDate: String
    }
}
