import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Invalid bodies: every call refuses them with the reason, and changes nothing.
@Suite(.database(Migrations.all), .service) struct WorkBodyTests {
    private var world: WorkforceWorld { .current }

    /// A valid body with one member replaced, or left out.
    private func body(_ name: String, _ value: String?) -> String {
        var members = [
            "startTime": #""2025-11-05T00:00:00Z""#, "endTime": #""2025-11-05T09:00:00Z""#, "restTimeMinutes": "60",
            "repeatDays": #"["WEDNESDAY"]"#, "repeatEndDate": #""2025-11-30""#, "routineIdList": "[]",
            "workerIdList": "[1]",
        ]
        members[name] = value
        return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
    }

    private func calls(_ shop: ShiftsWorld.Shop, _ shift: ShiftID) -> [(AccountID, HTTPRequest.Method, String)] {
        let owner = "/workplaces/\(shop.id)/workers/\(shop.first)/works"
        return [
            (1, .post, "/workplaces/\(shop.id)/workers/me/works"), (9, .post, "/workplaces/\(shop.id)/works/batch"),
            (1, .patch, "/works/\(shift)"), (1, .patch, "/works/recurring/\(shift)"), (9, .patch, "\(owner)/\(shift)"),
            (9, .patch, "\(owner)/recurring/\(shift)"),
        ]
    }

    @Test func invalidBody_namesFieldAndChangesNothing() async throws {
        let shop = try await ShiftsWorld.shop()
        let usual = WorkJSON(
            start: "2025-11-05T09:00",
            end: "2025-11-05T18:00",
            days: ["WEDNESDAY"],
            until: "2025-11-12"
        )
        let ids = try await world.add(usual, at: shop.id, by: 1)
        let before = try await ShiftsWorld.shifts(of: shop.first)
        let wrong: [(String, String?)] = [
            ("startTime", nil), ("startTime", "null"), ("startTime", "5"), ("startTime", #""2025-11-05""#),
            ("startTime", #""1970-01-01T00:00:00Z""#), ("startTime", #""2025-02-30T00:00:00Z""#),
            ("startTime", #""2025-11-05T24:30:00Z""#),
            ("startTime", #""2025-11-04T23:60:00Z""#), ("startTime", #""2025-11-04T23:00:99Z""#),
            ("startTime", #""9999-12-31T23:59:59Z""#), ("endTime", nil), ("endTime", #""2025-11-05T00:00:00Z""#),
            ("endTime", #""2025-11-04T23:00:00Z""#), ("endTime", #""2025-11-06T01:00:00Z""#),
            ("restTimeMinutes", nil), ("restTimeMinutes", "-1"), ("restTimeMinutes", "541"),
            ("restTimeMinutes", "1.5"), ("restTimeMinutes", "1e30"), ("restTimeMinutes", #""60""#),
            ("memo", #""\#(String(repeating: "a", count: 201))""#), ("memo", #""\u0000""#), ("memo", "7"),
            ("repeatDays", nil), ("repeatDays", "null"), ("repeatDays", #"["FUNDAY"]"#), ("repeatDays", "[1]"),
            ("repeatEndDate", #""2025-11-31""#), ("repeatEndDate", #""tomorrow""#),
            ("actualStartTime", #""now""#),
        ]
        for (account, method, path) in calls(shop, ids[0]) {
            for (name, value) in wrong {
                let answer = try await world.client(account).send(method, path, json: body(name, value))
                #expect(answer.status == .unprocessableContent, "\(method) \(path) \(name) \(value ?? "absent")")
                let refusal = try answer.json(Refusal.self)
                #expect(refusal.errorCode == "FIELD_422")
                // The decoder does not name the field of a number that is no integer.
                let named = refusal.errorMessage.contains(name) || refusal.errorMessage.contains("not whole")
                #expect(named, "\(name) \(value ?? "absent"): \(refusal.errorMessage)")
            }
            for json in ["", "{", "[1", "nonsense"] {
                let answer = try await world.client(account).send(method, path, json: json)
                #expect(try answer.json(Refusal.self).errorCode == "COMMON_400")
            }
            for json in ["[]", "7", "null", "{}"] {
                let answer = try await world.client(account).send(method, path, json: json)
                #expect(try answer.json(Refusal.self).errorCode == "FIELD_422")
            }
        }
        #expect(try await ShiftsWorld.shifts(of: shop.first) == before)
        #expect(try await ShiftsWorld.count("series") == 1)
    }

    @Test func series_withoutValidEnd_isRefused() async throws {
        let shop = try await ShiftsWorld.shop()
        for value in [nil, "null", #""2025-11-04""#] {
            for (account, method, path) in calls(shop, 1).prefix(2) {
                let answer = try await world.client(account).send(method, path, json: body("repeatEndDate", value))
                #expect(try answer.json(Refusal.self).errorCode == "FIELD_422")
            }
        }
        let long = body("repeatEndDate", #""2026-11-06""#)
        for (account, method, path) in calls(shop, 1).prefix(2) {
            let answer = try await world.client(account).send(method, path, json: long)
            #expect(try answer.json(Refusal.self).errorCode == "DATA_LIMIT_400")
        }
        #expect(try await ShiftsWorld.count("shifts") == 0)
    }

    @Test func idLists_mustBeNumbers() async throws {
        let shop = try await ShiftsWorld.shop()
        for value in [nil, "null", #"["1"]"#, "7", "[1.5]", "[99999999999999999999]"] {
            for (name, call) in zip(["routineIdList", "workerIdList"], calls(shop, 1)) {
                let answer = try await world.client(call.0).send(call.1, call.2, json: body(name, value))
                #expect(try answer.json(Refusal.self).errorCode == "FIELD_422")
            }
        }
        let many = body("routineIdList", "\(Array(1...5000))")
        let answer = try await world.client(1).send(.post, calls(shop, 1)[0].2, json: many)
        #expect(try answer.json(Refusal.self).errorCode == "DATA_LIMIT_400")
    }

    @Test func timestamps_acceptOffsetsAndFractions() async throws {
        let shop = try await ShiftsWorld.shop()
        let json = """
            {"startTime":"2025-11-05T09:00:00.123+09:00","endTime":"2025-11-05T00:30:00.999Z","restTimeMinutes":0,\
            "repeatDays":[],"routineIdList":[],"somethingElse":{"a":[1]}}
            """
        let answer = try await world.client(1).send(.post, calls(shop, 1)[0].2, json: json)
        #expect(answer.status == .created)
        let shift = try await ShiftsWorld.shifts(of: shop.first)[0]
        #expect(shift.startsAt == (try seoul("2025-11-05T09:00")))
        #expect(shift.endsAt == (try seoul("2025-11-05T09:30")))
    }
}
