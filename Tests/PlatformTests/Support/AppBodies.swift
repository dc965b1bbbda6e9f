import Contracts
import FoundationEssentials
import TestKit

// The bodies that the client decodes; members that it requires are not optional (SeatCatcher contract 1.6 and 2.5).

struct ProfileBody: Decodable {
    var userId: AccountID
    var name: String
    var profileImageNum: ImageBody
    var credit: Int64
    var tags: [TagBody]
    var hasOnBoarded: Bool
}

enum ImageBody: String, Decodable {
    case one = "IMAGE_1"
    case two = "IMAGE_2"
    case three = "IMAGE_3"
    case four = "IMAGE_4"
    case five = "IMAGE_5"
    case six = "IMAGE_6"
}

enum TagBody: String, Decodable {
    case none = "USERTAG_NULL"
    case pregnant = "USERTAG_PREGNANT"
    case longDistance = "USERTAG_LONGDISTANCE"
    case lowHealth = "USERTAG_LOWHEALTH"
    case disabled = "USERTAG_DISABLED"
    case carrier = "USERTAG_CARRIER"
}

struct TrainBody: Decodable {
    var btrainNo: String
    var ordkey: String
    var barvlDt: String
    var arvlMsg2: String
    var arvlCd: Int
    var bstatnNm: String
}

/// One section of a car.
struct SectionBody: Decodable, Equatable {
    var trainCode: String
    var carCode: String
    var seatGroupType: SectionName
    var seatStatus: [SeatBody]

    enum SectionName: String, Decodable {
        case normalA14 = "NORMAL_A_14"
        case normalB14 = "NORMAL_B_14"
        case normalC14 = "NORMAL_C_14"
        case normalA12 = "NORMAL_A_12"
        case normalB12 = "NORMAL_B_12"
        case normalC12 = "NORMAL_C_12"
        case priorityA = "PRIORITY_A"
        case priorityB = "PRIORITY_B"
    }

    enum SeatType: String, Decodable {
        case normal = "NORMAL"
        case priority = "PRIORITY"
        case pregnant = "PREGNANT"
    }

    struct SeatBody: Decodable, Equatable {
        var seatId: SeatID
        var seatLocation: Int
        var seatType: SeatType
        var occupant: OccupantBody?
    }

    struct OccupantBody: Decodable, Equatable {
        var userId: AccountID
        var nickname: String
        var expectedArrivalTime: String
        var profileImageNum: ImageBody
        var getOffStationName: String
        var tags: [TagBody]
    }
}

struct JourneyBody: Decodable {
    var pathHistoryId: Int64
    var expectedArrivalTime: String
    var nextScheduleTime: String
    var arrived: Bool
}

struct PathBody: Decodable {
    var pathHistoryId: Int64
    var expectedArrivalTime: String
    var nextScheduleTime: String?
    var arrived: Bool
}

/// The body on `.owner`. The client tries to decode a request first, and takes anything else for a cancellation.
enum OwnerBody: Decodable, Equatable {
    case request(from: AccountID, amount: Int)
    case cancel(from: AccountID)

    private struct RequestBody: Decodable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: ImageBody
        var creditAmount: Int
        var requestUserTags: [TagBody]
    }

    private struct CancelBody: Decodable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: ImageBody
    }

    init(from decoder: any Decoder) throws {
        if let request = try? RequestBody(from: decoder) {
            self = .request(from: request.requestUserId, amount: request.creditAmount)
        } else {
            self = .cancel(from: try CancelBody(from: decoder).requestUserId)
        }
    }
}

/// The body on `.requester.{userId}`.
struct ReplyBody: Decodable, Equatable {
    var seatId: SeatID
    var ownerId: AccountID
    var oppositeUserId: AccountID
    var ownerNickname: String
    var ownerProfileImageNum: ImageBody
    var isAccepted: Bool
}

/// A car, with the values that the tests compare.
struct Car: Equatable {
    var code: String
    /// Every seat's occupant's user id, by seat.
    var occupants: [SeatID: AccountID]
    var seats: [SeatID]

    init(_ sections: [SectionBody]) throws(AppFrame.Unreadable) {
        code = sections.first?.carCode ?? ""
        let all = sections.flatMap(\.seatStatus)
        seats = all.map(\.seatId)
        occupants = Dictionary(
            uniqueKeysWithValues: all.compactMap { seat in seat.occupant.map { (seat.seatId, $0.userId) } }
        )
        guard sections.count == 5, Set(sections.map(\.carCode)).count == 1 else {
            throw AppFrame.Unreadable(description: "a snapshot is of one car with five sections")
        }
        for time in all.compactMap(\.occupant?.expectedArrivalTime) {
            let fraction = time.split(separator: ".").last ?? ""
            guard time.utf8.count == 26, fraction.utf8.count == 6, Int(fraction) != nil else {
                throw AppFrame.Unreadable(description: "an arrival has six digits of a second: \(time)")
            }
        }
    }
}
