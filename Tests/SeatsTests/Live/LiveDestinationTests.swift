import TestKit
import Testing

@testable import Seats

@Suite struct LiveDestinationTests {
    @Test func destination_isParsedByNumberOfParts() throws {
        #expect(LiveDestination("/topic/seat.2234") == .train(try TrainCode(parsing: "2234")))
        #expect(LiveDestination("/topic/seat.101.owner") == .owner(seat: 101))
        #expect(LiveDestination("/topic/seat.101.requester.9") == .requester(seat: 101, account: 9))
        #expect(LiveDestination("/topic/path-histories.12") == .path(12))
        #expect(LiveDestination("/topic/hello") == .hello)
    }

    @Test(arguments: [
        "", "/", "/topic", "/topic/", "/topic/seat", "/topic/seat.", "/topic/seat.*", "/topic/seat.#",
        "/topic/seat.*.owner",
        "/topic/seat.x.owner", "/topic/seat.0.owner", "/topic/seat.-1.owner", "/topic/seat.101.thief",
        "/topic/seat.101.requester", "/topic/seat.101.requester.", "/topic/seat.101.requester.*",
        "/topic/seat.101.requester.9.x", "/topic/seat..owner", "/topic/path-histories", "/topic/path-histories.x",
        "/topic/path-histories.0", "/topic/path-histories.99999999999999999999", "/topic/hello.x", "/queue/seat.2234",
        "/app/hello", "/topic/seat.22 34", "/topic/seat.2234/2429", "/topic/seat.1234567890123", "topic/seat.2234",
        "/user/queue/x", "/exchange/amq.topic/seat.1",
    ])
    func invalidDestination_isNil(text: String) {
        #expect(LiveDestination(text) == nil)
    }
}

@Suite struct LiveTopicTests {
    @Test func topicName_roundTrips() throws {
        let car = try CarAddress(train: "2234", code: "2429")
        let topics: [LiveTopic] = [
            .car(car), .owner(seat: 101, account: 7), .requester(seat: 101, account: 9), .path(12),
        ]
        for topic in topics { #expect(LiveTopic(name: topic.name) == topic) }
        #expect(Set(topics.map(\.name)).count == topics.count)
        for name in ["", "car", "car/1", "owner/x/1", "path/x", "path/1/2", "hello", "other/1"] {
            #expect(LiveTopic(name: name) == nil, "\(name)")
        }
    }

    @Test func notificationText_roundTrips() throws {
        let car = try CarAddress(train: "2234", code: "2429")
        let notices: [LiveNotification] = [
            .written(12, .car(car)), .written(3, .path(1)), .watched(account: 7, car: car),
            .revoked(account: 7, session: nil), .revoked(account: 7, session: "abc"),
        ]
        for notice in notices { #expect(LiveNotification(text: notice.text) == notice) }
        for text in ["", "watched", "watched 7", "watched x 1 2", "revoked", "revoked x", "12", "12 path"] {
            #expect(LiveNotification(text: text) == nil, "\(text)")
        }
        #expect(LiveNotification(text: #"12 path/1 {"a": 1}"#) == .written(12, .path(1)), "of an older version")
    }
}
