import Contracts
import FoundationEssentials

/// Trains with passengers, active rooms and the map, as they are now.
struct LivePage {
    let trains: LiveReader.Answer<OperatorsAPI.Trains>
    let rooms: LiveReader.Answer<OperatorsAPI.Rooms>
    let map: LiveReader.Answer<OperatorsAPI.Map>
    let language: Language

    var html: HTML {
        """
        <h2>\(language("Trains with passengers", "승객이 있는 열차"))</h2>
        <form action="\(Layout.root)/live/train">
        <label for="train">\(language("Train", "열차"))</label><input id="train" name="train" required maxlength="7" size="7">
        <label for="car">\(language("Car", "차량"))</label><input id="car" name="car" required maxlength="4" size="4">
        <button>\(language("Show", "보기"))</button></form>
        \(trainSection)
        <h2>\(language("Active rooms", "활동 중인 채팅방"))</h2>
        <form action="\(Layout.root)/live/room">
        <label for="room">\(language("Room", "채팅방"))</label><input id="room" name="room" required maxlength="24">
        <button>\(language("Show", "보기"))</button></form>
        \(roomSection)
        <h2><a href="\(Layout.root)/live/map">\(language("Listings in Seoul", "서울의 매물"))</a></h2>
        \(mapSection)
        """
    }

    private var trainSection: HTML {
        switch trains {
        case .silent(let service): .silence(of: service, language)
        case .found(let trains) where !trains.cars.isEmpty:
            """
            <table><thead><tr><th scope="col">\(language("Train", "열차"))</th><th scope="col">\(language("Car", "차량"))</th>\
            <th scope="col">\(language("Line", "호선"))</th><th scope="col">\(language("Seated", "착석"))</th>\
            <th scope="col">\(language("Requests", "양보 요청"))</th></tr></thead>
            <tbody>\(trains.cars.map(row))</tbody></table>
            """
        case .found, .missing: "<p class=\"none\">\(language("No passenger has a seat.", "앉은 승객이 없습니다."))</p>"
        }
    }

    private func row(_ car: OperatorsAPI.TakenCar) -> HTML {
        """
        <tr><td><a href="\(Layout.root)/live/train/\(car.train)/\(car.car)">\(car.train)</a></td><td>\(car.car)</td>\
        <td>\(car.line ?? "–")</td><td>\(car.seated)</td><td>\(car.requests)</td></tr>

        """
    }

    private var roomSection: HTML {
        switch rooms {
        case .silent(let service): .silence(of: service, language)
        case .found(let rooms) where !rooms.rooms.isEmpty:
            """
            <table><thead><tr><th scope="col">\(language("Room", "채팅방"))</th><th scope="col">\(language("App", "앱"))</th>\
            <th scope="col">\(language("Members", "참여자"))</th><th scope="col">\(language("Events", "이벤트"))</th>\
            <th scope="col">\(language("Last message", "마지막 메시지"))</th></tr></thead>
            <tbody>\(rooms.rooms.map(row))</tbody></table>
            """
        case .found, .missing: "<p class=\"none\">\(language("There are no rooms.", "채팅방이 없습니다."))</p>"
        }
    }

    private func row(_ room: OperatorsAPI.RoomSummary) -> HTML {
        """
        <tr><td><a href="\(Layout.root)/live/room/\("\(room.id)")">\("\(room.id)")</a></td><td>\(room.app.rawValue)</td>\
        <td>\(.accounts(room.members))</td><td>\(room.lastSequence)</td>\
        <td>\(Figures.instant(Date(timeIntervalSince1970: room.updatedAt)))</td></tr>

        """
    }

    private var mapSection: HTML {
        switch map {
        case .silent(let service): .silence(of: service, language)
        case .found(let map): MapPicture(map: map, area: .seoul, language: language, isSmall: true).svg
        case .missing: ""
        }
    }
}
