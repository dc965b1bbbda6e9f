import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

@testable import Workforce

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WorkplaceRoutesTests {
    private var world: WorkforceWorld { .current }
    private static let common: Set = [
        "workplaceId", "workplaceName", "categoryName", "address", "latitude", "longitude", "isShared", "status",
        "fiveOrMoreEmployees",
    ]

    @Test func worker_createsPersonalWorkplace() async throws {
        let body = PlacesBodies.personal("언덕카페")
        let created = try await world.client(1).send(.post, "/workplaces", json: body)
        #expect(created.status == .created)
        #expect(try created.keys() == ["workplaceId"])
        let id = try created.json([String: WorkplaceID].self)["workplaceId"] ?? 0
        let location = created.headers[.location] ?? ""
        #expect(location.hasPrefix("http://") && location.hasSuffix("/workplaces/\(id)"))

        let detail = try await world.client(1).send(.get, "/workplaces/\(id)")
        #expect(try detail.keys() == Self.common.union(["workerBasedLabelColor", "salaryDetailInfo"]))
        struct Detail: Decodable {
            struct Salary: Decodable, Equatable {
                var salaryType: String
                var hourlyRate: Int?
                var fixedRate: Int?
                var salaryDate: Int?
                var salaryDay: String?
                var hasIndustrialAccident: Bool
                var hasNightAllowance: Bool
                var hasIncomeTax: Bool
                var incomeTaxMode: String
                var dependents: Int
                var employedThreeMonthsOrMore: Bool
            }
            var address: String?
            var workerBasedLabelColor: String
            var status: String
            var isShared: Bool
            var salaryDetailInfo: Salary
        }
        let read = try detail.json(Detail.self)
        #expect(read.address == "서울" && read.workerBasedLabelColor == "RED" && read.status == "ACTIVE")
        #expect(!read.isShared)
        #expect(
            read.salaryDetailInfo
                == Detail.Salary(
                    salaryType: "SALARY_MONTHLY",
                    hourlyRate: 10_030,
                    fixedRate: nil,
                    salaryDate: 10,
                    salaryDay: "MONDAY",
                    hasIndustrialAccident: true,
                    hasNightAllowance: true,
                    hasIncomeTax: false,
                    incomeTaxMode: "WITHHOLDING_TABLE",
                    dependents: 1,
                    employedThreeMonthsOrMore: false
                )
        )
        #expect(detail.text.contains(#""fixedRate":null"#))
        let summary = try await world.client(1).send(.get, "/workplaces/\(id)?view=SUMMARY")
        #expect(try summary.keys() == ["workplaceId", "workplaceName", "isShared", "status"])
    }

    @Test func owner_createsSharedWorkplace() async throws {
        let body = #"{"workplaceName":"가게","categoryName":"RESTAURANT_AND_MORE!","ownerBasedLabelColor":"NAVY","x":1}"#
        let created = try await world.client(9).send(.post, "/workplaces", json: body)
        #expect(created.status == .created)
        let id = try created.json([String: WorkplaceID].self)["workplaceId"] ?? 0
        let detail = try await world.client(9).send(.get, "/workplaces/\(id)?view=detail")
        #expect(try detail.keys() == Self.common.union(["ownerBasedLabelColor"]))
        #expect(detail.text.contains(#""address":null"#) && detail.text.contains(#""isShared":true"#))
        // Other users cannot use it.
        for (account, method) in [(AccountID(8), HTTPRequest.Method.get), (1, .get), (8, .delete), (1, .delete)] {
            #expect(try await world.refusal(account, method, "/workplaces/\(id)") == "404 WORKER_404")
        }
    }

    @Test func workplaceForm_mustMatchRole() async throws {
        #expect(
            try await world.refusal(9, .post, "/workplaces", json: PlacesBodies.personal("n"))
                == "403 PERMISSION_403"
        )
        #expect(
            try await world.refusal(1, .post, "/workplaces", json: PlacesBodies.shared("n")) == "403 PERMISSION_403"
        )
        let both = PlacesBodies.personal("n", more: #","ownerBasedLabelColor":"RED""#)
        let neither = "{\(PlacesBodies.common("n"))}"
        let nulls = #"{\#(PlacesBodies.common("n")),"workerBasedLabelColor":null,"salaryCreateRequest":null}"#
        for body in [both, neither, nulls, "{", "[]x"] {
            #expect(try await world.refusal(1, .post, "/workplaces", json: body) == "400 COMMON_400", "\(body)")
        }
        let colorOnly = #"{\#(PlacesBodies.common("n")),"workerBasedLabelColor":"RED"}"#
        let salaryOnly = #"{\#(PlacesBodies.common("n")),"salaryCreateRequest":\#(PlacesBodies.salary())}"#
        for body in [colorOnly, salaryOnly] {
            #expect(try await world.refusal(1, .post, "/workplaces", json: body) == "422 FIELD_422")
        }
        // A key with null counts as missing.
        let owner = PlacesBodies.shared("n", more: #","workerBasedLabelColor":null,"salaryCreateRequest":null"#)
        #expect(try await world.client(9).send(.post, "/workplaces", json: owner).status == .created)
    }

    @Test(arguments: [
        #""workplaceName":"","categoryName":"카페""#, #""workplaceName":" \t","categoryName":"카페""#,
        #""workplaceName":"a\u0000b","categoryName":"카페""#, #""workplaceName":"a\nb","categoryName":"카페""#,
        #""workplaceName":null,"categoryName":"카페""#, #""workplaceName":"n""#, #""workplaceName":7,"categoryName":"c""#,
        #""workplaceName":"n","categoryName":"123456789012345678901""#, #""workplaceName":"n","categoryName":" ""#,
        #""workplaceName":"n","categoryName":"c","latitude":90.001"#,
        #""workplaceName":"n","categoryName":"c","latitude":-90.001"#,
        #""workplaceName":"n","categoryName":"c","longitude":180.001"#,
        #""workplaceName":"n","categoryName":"c","longitude":-1e300"#,
        #""workplaceName":"n","categoryName":"c","latitude":"37""#,
        #""workplaceName":"n","categoryName":"c","address":"a\u0007""#,
        #""workplaceName":"n","categoryName":"c","fiveOrMoreEmployees":"yes""#,
    ])
    func invalidWorkplace_returns422(fields: String) async throws {
        let body = #"{\#(fields),"ownerBasedLabelColor":"RED"}"#
        #expect(try await world.refusal(9, .post, "/workplaces", json: body) == "422 FIELD_422")
        #expect(try await world.count("workplaces") == 0)
    }

    /// Lengths count Unicode scalars, as the database does: a flag is two scalars, a family emoji seven.
    @Test func textLengths_countUnicodeScalars() async throws {
        let family = "👨‍👩‍👧‍👦"
        let name = String(repeating: "가", count: 43) + family
        func body(_ name: String, _ address: String, _ color: String) -> String {
            #"{"workplaceName":"\#(name)","categoryName":"c","address":"\#(address)","ownerBasedLabelColor":"\#(color)"}"#
        }
        let address = String(repeating: "나", count: 100)
        let good = body(name, address, "ABCDEFGHIJ")
        #expect(try await world.client(9).send(.post, "/workplaces", json: good).status == .created)
        for bad in [
            body(name + "a", "", "c"), body("n", address + "a", "c"), body("n", "", "ABCDEFGHIJK"),
            body("n", "", " "),
            body("n", "", ""), body("n", "", "a\\u0000"),
        ] { #expect(try await world.refusal(9, .post, "/workplaces", json: bad) == "422 FIELD_422", "\(bad)") }
        let blankAddress = body("n", "", "c")
        #expect(try await world.client(9).send(.post, "/workplaces", json: blankAddress).status == .created)
    }

    @Test func duplicateName_ofSameCreator_returns409() async throws {
        let id = try await world.shared("가게")
        #expect(
            try await world.refusal(9, .post, "/workplaces", json: PlacesBodies.shared("가게"))
                == "409 WORKPLACE_NAME_409"
        )
        _ = try await world.shared("가게", of: 8)
        let other = try await world.shared("다른 가게")
        #expect(
            try await world.refusal(9, .patch, "/workplaces/\(other)", json: PlacesBodies.shared("가게"))
                == "409 WORKPLACE_NAME_409"
        )
        // The name is free again after the deletion.
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        _ = try await world.shared("가게")
    }

    @Test func concurrentWorkplaces_areLimitedToTwenty() async throws {
        for number in 0..<18 { _ = try await world.shared("가게 \(number)") }
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<8 {
                let body = PlacesBodies.shared("새 가게 \(number)")
                group.addTask { try await world.refusal(9, .post, "/workplaces", json: body) }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(codes.filter { $0 == "201" }.count == 2)
        #expect(codes.filter { $0 == "400 WORKPLACE_400" }.count == 6)
        #expect(try await world.count("workplaces") == 20)
        // Workplaces of others and deleted ones are not counted.
        _ = try await world.shared("가게", of: 8)
        let id = try #require(try await world.places(of: 9).first).workplaceId
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        _ = try await world.shared("또 하나")
    }

    @Test func workplaceList_isOrderedByName() async throws {
        let cafe = try await world.shared("나 카페")
        _ = try await world.applicant(1, at: cafe)
        _ = try await world.personal("가 과외", of: 1)
        _ = try await world.personal("다 과외", of: 1)
        _ = try await world.personal("남의 것", of: 2)
        let answer = try await world.client(1).send(.get, "/workplaces")
        #expect(try answer.keys() == ["workplaceSummaryInfoList"])
        let places = try await world.places(of: 1)
        #expect(places.map(\.workplaceName) == ["가 과외", "나 카페", "다 과외"])
        #expect(places.map(\.status) == ["ACTIVE", "PENDING_APPROVAL", "ACTIVE"])
        #expect(places.map(\.isShared) == [false, true, false])
        for query in ["true", "1"] {
            let shared = try await world.client(1).send(.get, "/workplaces?isSharedOnly=\(query)")
            #expect(try shared.json([String: [WorkforceWorld.Place]].self).values.joined().map(\.workplaceId) == [cafe])
        }
        #expect(try await world.refusal(1, .get, "/workplaces?isSharedOnly=maybe") == "400 ARGUMENT_400")
        #expect(try await world.places(of: 8).isEmpty)
    }

    @Test func invalidId_isRefused() async throws {
        let id = try await world.personal()
        for (path, code) in [
            ("x", "400 ARGUMENT_400"), ("0", "400 VARIABLE_400"), ("-1", "400 VARIABLE_400"),
            ("9223372036854775808", "400 ARGUMENT_400"), ("999", "404 WORKPLACE_404"),
        ] {
            #expect(try await world.refusal(1, .get, "/workplaces/\(path)") == code)
            #expect(try await world.refusal(1, .delete, "/workplaces/\(path)") == code)
            let body = PlacesBodies.change()
            #expect(try await world.refusal(1, .patch, "/workplaces/\(path)", json: body) == code)
        }
        #expect(try await world.refusal(1, .get, "/workplaces/\(id)?view=full") == "400 ARGUMENT_400")
    }
}
