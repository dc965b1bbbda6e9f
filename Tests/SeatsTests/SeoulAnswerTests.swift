import FoundationEssentials
import Subway
import Testing

@testable import Seats

@Suite struct SeoulAnswerTests {
    private let now = Date(timeIntervalSince1970: 1_763_700_000)

    private func arrivals(_ rows: String...) throws -> [Arrival] {
        let body =
            #"{"errorMessage":{"status":200,"code":"INFO-000","total":1},"realtimeArrivalList":["#
            + rows.joined(separator: ",") + "]}"
        return try answer(body)
    }

    private func answer(_ body: String) throws -> [Arrival] {
        try JSONDecoder().decode(SeoulAnswer.self, from: Data(body.utf8)).arrivals(now: now)
    }

    private func row(_ changes: [String: String?] = [:]) -> String {
        let usual: [String: String] = [
            "subwayId": #""1002""#, "updnLine": #""외선""#, "btrainNo": #""2234""#, "ordkey": #""11002성수0""#,
            "arvlCd": #""99""#, "barvlDt": #""120""#, "arvlMsg2": #""2분 후 (서초)""#, "bstatnNm": #""성수""#,
            // 50 seconds before `now`.
            "recptnDt": #""2025-11-21 13:39:10""#,
        ]
        var members = usual
        for (name, value) in changes { members[name] = value }
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    @Test func row_isDecoded() throws {
        #expect(try arrivals(row()) == [.fixture(receivedAt: now - 50)])
    }

    @Test(arguments: [
        ["subwayId": #""1009999""#], ["subwayId": #""9""#], ["subwayId": "null"], ["subwayId": #""1042""#],
        ["arvlCd": #""soon""#], ["btrainNo": #""""#], ["btrainNo": #""2.34""#], ["btrainNo": #""12345678901234567""#],
        ["btrainNo": "[]"], ["bstatnNm": #""""#], ["updnLine": #""옆""#, "ordkey": #""x""#],
        ["updnLine": "null", "ordkey": #""91002성수0""#],
    ])
    func invalidRow_isDropped(changes: [String: String]) throws {
        let good = Arrival.fixture(receivedAt: now - 50)
        #expect(try arrivals(row(changes), row(), "7", "null", #""x""#, "{}") == [good])
    }

    @Test func missingOrMistypedFields_areTolerated() throws {
        let row = try #require(
            try arrivals(
                row(["barvlDt": "0", "arvlCd": "3", "btrainNo": "2234", "ordkey": "null", "arvlMsg2": "null"])
            ).first
        )
        #expect((row.announcedSeconds, row.code, row.trainNumber, row.orderKey, row.message) == (0, 3, "2234", "", ""))
        #expect(try arrivals(self.row(["barvlDt": #""-5""#])).first?.announcedSeconds == 0)
        #expect(try arrivals(self.row(["barvlDt": #""99999999999999999999""#])).first?.announcedSeconds == 0)
    }

    @Test(arguments: [
        ("내선", "11002성수0", Direction.up), ("외선", "01002성수0", .down), ("상행", "1", .up), ("하행", "0", .down),
        ("", "01002성수0", .up),
        ("", "11002성수0", .down),
    ])
    func directionName_takesPrecedenceOverDigit(name: String, orderKey: String, direction: Direction) throws {
        let row = row(["updnLine": "\"\(name)\"", "ordkey": "\"\(orderKey)\""])
        #expect(try arrivals(row).first?.direction == direction)
    }

    @Test(arguments: [#""2025-11-21 13:30:00""#, #""2025-11-21 13:40:10""#, #""soon""#, "null"])
    func implausibleTime_isReplacedByNow(text: String) throws {
        #expect(try arrivals(row(["recptnDt": text])).first?.receivedAt == now)
    }

    @Test func noTrains_isEmptyList() throws {
        #expect(try answer(#"{"status":500,"code":"INFO-200","message":"해당하는 데이터가 없습니다.","total":0}"#) == [])
        #expect(try answer(#"{"errorMessage":{"code":"INFO-000"}}"#) == [])
    }

    @Test(arguments: [
        #"{"status":500,"code":"INFO-100"}"#, #"{"errorMessage":{"status":500,"code":"ERROR-336"}}"#, "{}",
        #"{"code":"ERROR-600"}"#,
    ])
    func errorCode_throwsArrivalsUnavailable(body: String) {
        #expect(throws: ArrivalsUnavailable.self) { try answer(body) }
    }
}
