import FoundationEssentials
import HummingbirdTesting
import Testing
import Values

@testable import Sandbox

@Suite(.sandbox) struct CulturalEventTests {
    private let sandbox = SandboxClient.current

    struct Answer: Decodable {
        struct Found: Decodable {
            var total: Int
            var result: [String: String]
            var row: [[String: String]]

            enum CodingKeys: String, CodingKey {
                case total = "list_total_count"
                case result = "RESULT"
                case row
            }
        }

        var culturalEventInfo: Found
    }

    private func found(_ rest: String) async throws -> Answer.Found {
        let reply = try await sandbox.get("/seoul/key/json/culturalEventInfo/\(rest)")
        #expect(reply.status == 200)
        return try JSONDecoder().decode(Answer.self, from: Data(reply.text.utf8)).culturalEventInfo
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test func row_hasEveryField() async throws {
        let found = try await found("1/1000/")
        #expect(found.result["CODE"] == "INFO-000" && found.total == found.row.count)
        #expect(found.row.count > 300)
        let keys: Set = [
            "CODENAME", "GUNAME", "TITLE", "DATE", "PLACE", "ORG_NAME", "USE_TRGT", "USE_FEE", "INQUIRY", "PLAYER",
            "PROGRAM", "ETC_DESC", "ORG_LINK", "MAIN_IMG", "RGSTDATE", "TICKET", "STRTDATE", "END_DATE",
            "THEMECODE", "LOT", "LAT", "IS_FREE", "HMPG_ADDR", "PRO_TIME",
        ]
        #expect(found.row.allSatisfy { Set($0.keys) == keys })
        #expect(found.row.allSatisfy { (37...38).contains(Double($0["LAT"] ?? "") ?? 0) })
        #expect(Set(found.row.map { $0["CODENAME"] }).count == 16)
        #expect(Set(found.row.map { $0["GUNAME"] }).count > 10)
        #expect(Set(found.row.map { $0["IS_FREE"] }) == ["무료", "유료"])
    }

    @Test func programme_isStableFromDayToDay() {
        let today = CivilDate(dayNumber: 20_000)
        let (rows, tomorrow) = (CulturalProgramme.rows(on: today), CulturalProgramme.rows(on: today + 1))
        #expect(rows == CulturalProgramme.rows(on: today))
        #expect(Array(rows.dropLast(4)) == Array(tomorrow.dropFirst(4)))
        #expect(rows.contains { $0.runs(on: today.description) })
        #expect(Set(rows.map { $0.title + $0.start }).count == rows.count)
    }

    @Test func rows_arePagedAndFiltered() async throws {
        let all = try await found("1/1000")
        let part = try await found("21/40")
        #expect(part.row == Array(all.row[20..<40]) && part.total == all.total)
        for blank in ["%2520/%2520/%2520", "%20/%20/%20", "//", ""] {
            #expect(try await found("1/5/\(blank)").total == all.total)
        }
        for name in ["교육/체험", "교육"] {
            let courses = try await found("1/1000/\(Self.encoded(name))").row
            #expect(!courses.isEmpty && courses.allSatisfy { $0["CODENAME"] == "교육/체험" })
        }
        let title = try #require(all.row.first?["TITLE"])
        #expect(try await found("1/5/%2520/\(Self.encoded(title))").row.contains { $0["TITLE"] == title })
        let day = SeoulTime.date(of: .now).description
        let today = try await found("1/1000/%2520/%2520/\(day)").row
        #expect(!today.isEmpty && today.count < all.row.count)
        #expect(today.allSatisfy { ($0["STRTDATE"] ?? "") <= day + "~" && ($0["END_DATE"] ?? "") >= day })
    }

    @Test(arguments: [
        ("key/json", "1", "ERROR-300"), ("key/xml", "1/5", "ERROR-301"), ("key/json", "0/5", "ERROR-331"),
        ("key/json", "1/0", "ERROR-332"), ("key/json", "a/5", "ERROR-333"), ("key/json", "6/5", "ERROR-334"),
        ("sample/json", "1/6", "ERROR-335"), ("key/json", "1/1001", "ERROR-336"), ("key/json", "9000/9001", "INFO-200"),
        ("key/json", "1/5/none", "INFO-200"),
    ])
    func invalidRequest_returnsErrorCode(_ key: String, rest: String, code: String) async throws {
        struct Alone: Decodable {
            var result: [String: String]

            enum CodingKeys: String, CodingKey { case result = "RESULT" }
        }
        let reply = try await sandbox.get("/seoul/\(key)/culturalEventInfo/\(rest)")
        #expect(reply.status == 200)
        let answer = try JSONDecoder().decode(Alone.self, from: Data(reply.text.utf8))
        #expect(answer.result["CODE"] == code)
    }

    @Test func orderedFault_returnsErrorCode() async throws {
        try await sandbox.fault("http", of: "seoul", status: 200)
        let reply = try await sandbox.get("/seoul/key/json/culturalEventInfo/1/5")
        #expect(reply.status == 200 && reply.text.contains("ERROR-500"))
        #expect(try await found("1/5").row.count == 5)
    }
}
