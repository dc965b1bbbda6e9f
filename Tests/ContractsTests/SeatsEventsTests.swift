import Contracts
import FoundationEssentials
import TestKit
import Testing

@Suite struct SeatsEventsTests {
    private let alert = SeatsEvents.PassengerAlerted(
        account: 7,
        kind: .seatRequestReceived,
        arguments: ["빛나는 고래", "300"],
        payload: #"{"seatId":101}"#,
        seen: false,
        id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    )

    @Test func kinds_matchContract() {
        #expect(
            SeatsEvents.AlertKind.allCases.map(\.rawValue) == [
                "HELLO", "MOST_USED_TIME_ALERT", "ARRIVAL_HANDLED", "SEAT_REQUEST_RECEIVED", "SEAT_REQUEST_ACCEPTED",
                "SEAT_REQUEST_REJECTED", "SEAT_REQUEST_ACCEPTED_ARRIVA", "SEAT_EXCHANGE_SUCCESS",
                "SEAT_REQUEST_CANCELED",
            ]
        )
    }

    @Test func alert_survivesEncoding() throws {
        let wire = try JSONEncoder().encode(alert)
        #expect(try JSONDecoder().decode(SeatsEvents.PassengerAlerted.self, from: wire) == alert)
        #expect(SeatsEvents.PassengerAlerted.name == "seats.passenger-alerted")
        #expect(alert.key == "7")
    }

    @Test func alert_isDecodedFromJSON() throws {
        let wire = """
            {"account":7,"kind":"SEAT_REQUEST_RECEIVED","arguments":["빛나는 고래","300"],
            "payload":"{\\"seatId\\":101}","seen":false,"id":"01020304-0506-0708-090a-0b0c0d0e0f10"}
            """
        #expect(try JSONDecoder().decode(SeatsEvents.PassengerAlerted.self, from: Data(wire.utf8)) == alert)
    }

    @Test(arguments: ["null", nil])
    func payload_isOptional(payload: String?) throws {
        let member = payload.map { #""payload":\#($0),"# } ?? ""
        let wire = """
            {"account":7,"kind":"ARRIVAL_HANDLED","arguments":[],\(member)"seen":true,
            "id":"01020304-0506-0708-090a-0b0c0d0e0f10"}
            """
        let alert = try JSONDecoder().decode(SeatsEvents.PassengerAlerted.self, from: Data(wire.utf8))
        #expect(alert.payload == nil)
        #expect(alert.kind == .arrivalHandled)
        #expect(alert.seen)
    }

    @Test func unknownKind_throws() {
        let wire = """
            {"account":7,"kind":"SEAT_REQUEST_ACCEPTED_ARRIVAL","arguments":[],"seen":true,
            "id":"01020304-0506-0708-090a-0b0c0d0e0f10"}
            """
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(SeatsEvents.PassengerAlerted.self, from: Data(wire.utf8))
        }
    }
}
