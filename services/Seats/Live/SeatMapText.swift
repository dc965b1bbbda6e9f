import Apps
import Contracts
import Values

/// A car's seats in the client's format (SeatCatcher contract 1.6, call 15): an array of its five groups with their
/// seats. The same text is the response of `GET /trains` and the message on `/topic/seat.{trainCode}`.
///
/// It is written without an encoder, since every change of a car sends the whole map and most of it is unchanged: the
/// text of each seat is cached, and only that of a changed seat is written again.
struct SeatMapText: Sendable {
    /// Id of the last message on the car's topic that this map includes.
    private(set) var through: LiveMessageID
    private var groups: [Group] = []
    /// The group of a seat and its index in the group.
    private var places: [SeatID: (group: Int, index: Int)] = [:]

    private struct Group: Sendable {
        var head: String
        var seats: [Entry]
    }

    private struct Entry: Sendable {
        /// The JSON up to the occupant.
        var head: String
        var occupant: String
    }

    init(_ map: SeatMap) {
        through = map.through
        for seat in map.seats {
            let head =
                #"{"seatId":\#(seat.id),"seatLocation":\#(seat.location),"seatType":\#(JSONText.string(seat.type)),"occupant":"#
            let entry = Entry(head: head, occupant: Self.text(seat.occupant))
            let groupHead = Self.groupHead(map.car, seat.section)
            if groups.last?.head != groupHead { groups.append(Group(head: groupHead, seats: [])) }
            places[seat.id] = (groups.count - 1, groups[groups.count - 1].seats.count)
            groups[groups.count - 1].seats.append(entry)
        }
    }

    /// The map with a message applied.
    func applying(_ changes: [SeatChange], id: LiveMessageID) -> SeatMapText {
        var next = self
        next.through = id
        for change in changes {
            guard let place = places[change.seat] else { continue }
            next.groups[place.group].seats[place.index].occupant = Self.text(change.occupant)
        }
        return next
    }

    var text: String {
        var text = "["
        text.reserveCapacity(16 * 1024)
        for (index, group) in groups.enumerated() {
            text += index == 0 ? group.head : ",\(group.head)"
            for (index, seat) in group.seats.enumerated() {
                if index > 0 { text += "," }
                text += seat.head
                text += seat.occupant
                text += "}"
            }
            text += "]}"
        }
        return text + "]"
    }

    private static func groupHead(_ car: CarAddress, _ section: String) -> String {
        """
        {"trainCode":\(JSONText.string(car.train.text)),"carCode":\(JSONText.string(car.code)),\
        "seatGroupType":\(JSONText.string(section)),"seatStatus":[
        """
    }

    private static func text(_ occupant: Occupant?) -> String {
        guard let occupant else { return "null" }
        let tags = occupant.tags.map(JSONText.string).joined(separator: ",")
        return """
            {"userId":\(occupant.account),"nickname":\(JSONText.string(occupant.nickname)),\
            "expectedArrivalTime":"\(WallTime(occupant.arrivesAt).full)",\
            "profileImageNum":\(JSONText.string(occupant.image)),\
            "getOffStationName":\(JSONText.string(occupant.destination)),"tags":[\(tags)]}
            """
    }
}
