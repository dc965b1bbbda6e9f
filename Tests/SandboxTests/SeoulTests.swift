import FoundationEssentials
import HummingbirdTesting
import Subway
import Testing

@testable import Sandbox

@Suite(.sandbox) struct SeoulTests {
    private let sandbox = SandboxClient.current

    struct Answer: Decodable {
        var errorMessage: Notice
        var realtimeArrivalList: [Row]
    }

    struct Notice: Decodable {
        var status: Int
        var code: String
        var total: Int
    }

    struct Row: Decodable {
        var rowNum: Int
        var totalCount: Int
        var selectedCount: Int
        var subwayId: String
        var updnLine: String
        var statnNm: String
        var ordkey: String
        var barvlDt: String
        var btrainNo: String
        var bstatnNm: String
        var arvlMsg2: String
        var arvlCd: String
    }

    private func path(_ station: String, _ start: Int = 0, _ end: Int = 100, type: String = "json") -> String {
        let name = station.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "/seoul/api/subway/key/\(type)/realtimeStationArrival/\(start)/\(end)/\(name)"
    }

    private func answer(_ path: String) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try await sandbox.get(path).text.utf8))
    }

    @Test func arrivals_haveEveryLineAndDirection() async throws {
        let reply = try await sandbox.get(path("시청"))
        #expect(reply.status == 200)
        let answer = try JSONDecoder().decode(Answer.self, from: Data(reply.text.utf8))
        let rows = answer.realtimeArrivalList
        #expect(answer.errorMessage.code == "INFO-000")
        #expect(answer.errorMessage.total == rows.count)
        #expect(rows.count > 5)
        #expect(Set(rows.map { $0.subwayId + $0.updnLine }) == ["1001상행", "1001하행", "1002내선", "1002외선"])
        #expect(rows.map(\.rowNum) == Array(1...rows.count))
        for row in rows {
            #expect(row.totalCount == rows.count)
            #expect(row.selectedCount == rows.count)
            #expect(row.btrainNo.count == 4)
            #expect(Int(row.barvlDt) != nil)
            let digits = row.ordkey.prefix(5)
            #expect(digits.count == 5 && digits.allSatisfy(\.isNumber))
            #expect(row.ordkey.dropFirst(5) == row.bstatnNm + "0")
            #expect(row.ordkey.first == (["상행", "내선"].contains(row.updnLine) ? "0" : "1"))
        }
    }

    @Test func row_hasEveryField() async throws {
        struct Loose: Decodable { var realtimeArrivalList: [[String: Member]] }
        enum Member: Decodable, Equatable {
            case text, number, null

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() {
                    self = .null
                } else {
                    self = (try? value.decode(String.self)) == nil ? .number : .text
                }
            }
        }
        let reply = try await sandbox.get(path("강남"))
        let row = try #require(
            try JSONDecoder().decode(Loose.self, from: Data(reply.text.utf8)).realtimeArrivalList.first
        )
        #expect(Set(row.keys.filter { row[$0] == .null }) == ["beginRow", "endRow", "curPage", "pageRow"])
        #expect(Set(row.keys.filter { row[$0] == .number }) == ["rowNum", "totalCount", "selectedCount"])
        #expect(
            Set(row.keys.filter { row[$0] == .text }) == [
                "subwayId", "updnLine", "trainLineNm", "statnFid", "statnTid", "statnId", "statnNm", "trnsitCo",
                "ordkey", "subwayList", "statnList", "btrainSttus", "barvlDt", "btrainNo", "bstatnId", "bstatnNm",
                "recptnDt", "arvlMsg2", "arvlMsg3", "arvlCd", "lstcarAt",
            ]
        )
    }

    @Test func rows_areLimitedToRange() async throws {
        let answer = try await answer(path("시청", 2, 4))
        #expect(answer.realtimeArrivalList.map(\.rowNum) == [2, 3, 4])
        #expect(answer.realtimeArrivalList.allSatisfy { $0.selectedCount == 3 && $0.totalCount > 5 })
    }

    @Test(arguments: [
        ("없는역", 0, 5, "json", "INFO-200"), ("숭실대입구", 0, 5, "json", "INFO-200"), ("서울역", 0, 5, "json", "INFO-200"),
        ("강남", 900, 901, "json", "INFO-200"), ("강남", 5, 1, "json", "ERROR-334"),
        ("강남", 0, 5000, "json", "ERROR-336"), ("강남", 0, 5, "xml", "ERROR-301"),
    ])
    func invalidRequest_returnsErrorCode(_ station: String, start: Int, end: Int, type: String, code: String)
        async throws
    {
        let reply = try await sandbox.get(path(station, start, end, type: type))
        #expect(reply.status == 200)
        let notice = try reply.decode(Notice.self)
        #expect(notice.code == code)
        #expect(notice.status == 500)
    }

    @Test(arguments: ["숭실대입구(살피재)", "총신대입구(이수)", "군자(능동)", "서울", "남한산성입구(성남법원, 검찰청)"])
    func stations_areFoundByNamesOfTheAPI(name: String) async throws {
        let answer = try await answer(path(name))
        #expect(answer.realtimeArrivalList.allSatisfy { $0.statnNm == name })
    }

    @Test func orderedFault_withStatus200_hasErrorBody() async throws {
        try await sandbox.fault("http", of: "seoul", status: 200)
        let reply = try await sandbox.get(path("강남"))
        #expect(reply.status == 200)
        #expect(try reply.decode(Notice.self).code == "ERROR-500")
        try await sandbox.fault("http", of: "seoul")
        #expect(try await sandbox.get(path("강남")).status == 503)
        #expect(try await sandbox.get("/seoul/api/elsewhere").status == 404)
    }

    @Test func placedTrain_arrivesAndContinues() async throws {
        let order = """
            {"btrainNo": "9321", "line": "2", "station": "강남", "direction": 1, "seconds": 40, "destination": "성수"}
            """
        #expect(try await sandbox.post("/_control/trains", json: order).status == 204)
        func row(at station: String) async throws -> Row? {
            try await answer(path(station))
                .realtimeArrivalList.first { $0.btrainNo == "9321" }
        }
        let here = try #require(try await row(at: "강남"))
        #expect(here.updnLine == "외선")
        #expect(here.bstatnNm == "성수")
        #expect(here.arvlCd != "99")
        let next = try #require(try await row(at: "역삼"))
        #expect((1...100).contains(Int(next.barvlDt) ?? 0))
        let far = try #require(try await row(at: "성수"))
        #expect(far.barvlDt == "0")
        #expect(far.arvlMsg2.contains("분 후 ("))
        #expect(try await row(at: "서초") == nil)
        #expect(try await row(at: "뚝섬") == nil)
    }

    @Test(arguments: [
        (#""direction": "down", "destination": "성수""#, "역삼", "외선"),
        (#""direction": "1", "destination": "강남""#, "강남", "외선"),
        (#""direction": "외선", "destination": "멀리""#, "역삼", "외선"),
        (#""direction": "inner", "destination": "역삼""#, "서초", "내선"),
        (#""direction": "상행", "destination": "교대""#, "교대", "내선"),
    ])
    func placedTrain_acceptsDirectionsInAnyForm(order: String, station: String, way: String) async throws {
        let body = #"{"btrainNo": 9321, "line": 2, "station": "강남", "seconds": 40, \#(order)}"#
        #expect(try await sandbox.post("/_control/trains", json: body).status == 204)
        let rows = try await answer(path(station)).realtimeArrivalList
        #expect(rows.first { $0.btrainNo == "9321" }?.updnLine == way)
    }

    /// Members that replace those of a valid train, nil for a missing one, and the member that the refusal names.
    @Test(
        arguments: [
            (["btrainNo": "\"\""], "btrainNo"), (["line": #""42""#], "line"),
            (["line": #""7""#, "destination": #""온수""#], "station"), (["direction": "2"], "direction"),
            (["seconds": "9999"], "seconds"),
            (["line": #""7""#, "station": #""온수""#, "seconds": "1", "destination": "\"\""], "destination"),
            (["destination": nil], "destination"),
        ] as [([String: String?], String)]
    )
    func invalidTrain_namesField(changes: [String: String?], field: String) async throws {
        let train: [String: String?] = [
            "btrainNo": #""1""#, "line": #""2""#, "station": #""강남""#, "direction": "1", "seconds": "40",
            "destination": #""성수""#,
        ]
        let members = train.merging(changes) { $1 }.compactMap { name, value in value.map { #""\#(name)": \#($0)"# } }
        let reply = try await sandbox.post("/_control/trains", json: "{\(members.joined(separator: ", "))}")
        reply.expectRefusal(naming: field)
    }
}
