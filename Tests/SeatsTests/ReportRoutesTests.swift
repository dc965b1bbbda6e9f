import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Seats

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ReportRoutesTests {
    private var world: SeatsWorld { .current }

    private struct ReportBody: Decodable, Equatable {
        var id: Int64
        var reportUserId: AccountID
        var reportUserName: String
        var reportedUserId: AccountID?
        var reportedUserName: String?
        var reason: String
    }

    private func json(_ reported: AccountID, _ reason: String, by reporter: AccountID? = nil) -> String {
        let reporter = reporter.map { #""reportUserId":\#($0),"# } ?? ""
        return #"{\#(reporter)"reportedUserId":\#(reported),"reason":"\#(reason)"}"#
    }

    /// Makes a report and finds its id.
    private func report(by reporter: AccountID, _ reported: AccountID, _ reason: String)
        async throws
        -> Int64
    {
        let answer = try await world.client(reporter).send(.post, "/reports/", json: json(reported, reason))
        #expect(answer.status == .ok)
        return try await mine(reporter)[0].id
    }

    private func mine(_ account: AccountID) async throws -> [ReportBody] {
        try await world.client(account).send(.get, "/reports/me").json([ReportBody].self)
    }

    @Test(.service) func report_isShownToReporter() async throws {
        let answer = try await world.client(1).send(.post, "/reports", json: json(2, "자리를\\n비켜주지 않음", by: 1))
        #expect(answer.status == .ok)
        #expect(!answer.text.isEmpty)
        #expect(answer.headers[.contentType]?.hasPrefix("text/plain") == true)
        let report = try #require(try await mine(1).first)
        #expect(
            report
                == ReportBody(
                    id: report.id,
                    reportUserId: 1,
                    reportUserName: "조용한 수달",
                    reportedUserId: 2,
                    reportedUserName: "빛나는 고래",
                    reason: "자리를\n비켜주지 않음"
                )
        )
        let one = try await world.client(1).send(.get, "/reports/\(report.id)/")
        #expect(try one.json(ReportBody.self) == report)
        #expect(try await mine(2).isEmpty)
    }

    @Test(.service) func report_isLimitedToReporter() async throws {
        let id = try await report(by: 1, 2, "x")
        for other in [2, 3] as [AccountID] {
            let phone = world.client(other)
            #expect(try await phone.send(.get, "/reports/\(id)").summary == "403 REPORT_FORBIDDEN")
            let patch = try await phone.send(.patch, "/reports/\(id)", json: #"{"reason":"y"}"#)
            #expect(patch.summary == "403 REPORT_FORBIDDEN")
            #expect(try await phone.send(.delete, "/reports/\(id)").summary == "403 REPORT_FORBIDDEN")
        }
        for path in ["/reports", "/reports/"] {
            #expect(try await world.client(1).send(.get, path).summary == "403 REPORT_FORBIDDEN")
        }
        #expect(try await mine(1).map(\.reason) == ["x"])
    }

    @Test(.service) func forgedReporter_isRefused() async throws {
        let forged = try await world.client(1).send(.post, "/reports", json: json(2, "x", by: 2))
        #expect(forged.summary == "403 REPORT_FORBIDDEN")
        #expect(try await world.client(1).send(.post, "/reports", json: json(1, "x")).summary == "400 VALIDATION_ERROR")
        let id = try await report(by: 1, 2, "x")
        let moved = try await world.client(1).send(.patch, "/reports/\(id)", json: #"{"reportUserId":2}"#)
        #expect(moved.summary == "403 REPORT_FORBIDDEN")
        let own = try await world.client(1).send(.patch, "/reports/\(id)", json: #"{"reportedUserId":1}"#)
        #expect(own.summary == "400 VALIDATION_ERROR")
    }

    @Test(.service, arguments: [3, 0, -5, AccountID(rawValue: .max)])
    func reportOfUnknownUser_returns404(reported: AccountID) async throws {
        let answer = try await world.client(1).send(.post, "/reports", json: json(reported, "x"))
        #expect(answer.summary == "404 USER_NOT_FOUND")
        #expect(answer.title == "User Not Found")
        let id = try await report(by: 1, 2, "x")
        let change = #"{"reportedUserId":\#(reported)}"#
        let moved = try await world.client(1).send(.patch, "/reports/\(id)", json: change)
        #expect(moved.summary == "404 USER_NOT_FOUND")
    }

    @Test(.service(passengers: [1: "a", 2: "b", 3: "c"])) func report_isUpdated() async throws {
        let id = try await report(by: 1, 2, "x")
        let changed = try await world.client(1).send(.patch, "/reports/\(id)", json: #"{"reason":"y"}"#)
        #expect(changed.status == .ok)
        #expect(try changed.json(ReportBody.self).reason == "y")
        _ = try await world.client(1).send(.patch, "/reports/\(id)/", json: #"{"reportedUserId":3,"reason":null}"#)
        let report = try await world.client(1).send(.get, "/reports/\(id)").json(ReportBody.self)
        #expect(report.reportedUserId == 3)
        #expect(report.reportedUserName == "c")
        #expect(report.reason == "y")
    }

    @Test(.service) func repeatedReport_isStoredOnce() async throws {
        let reason = String(repeating: "가", count: 1000)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try await world.client(1).send(.post, "/reports", json: json(2, reason)).status.code }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await mine(1).count == 1)
        let other = try await report(by: 1, 2, "x")
        let copy = try await world.client(1).send(.patch, "/reports/\(other)", json: #"{"reason":"\#(reason)"}"#)
        #expect(copy.summary == "409 REPORT_REPEATED")
    }

    /// Each report locks the rows of both passengers.
    @Test(.service) func mutualReports_doNotDeadlock() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                let (one, other): (AccountID, AccountID) = number.isMultiple(of: 2) ? (1, 2) : (2, 1)
                let body = json(other, "reason \(number)")
                group.addTask { try await world.client(one).send(.post, "/reports", json: body).status.code }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await mine(1).count == 10)
    }

    @Test(.service) func deletedReport_isGone() async throws {
        let id = try await report(by: 1, 2, "x")
        let deleted = try await world.client(1).send(.delete, "/reports/\(id)")
        #expect(deleted.status == .ok)
        #expect(!deleted.text.isEmpty)
        for method in [HTTPRequest.Method.get, .delete] {
            let gone = try await world.client(1).send(method, "/reports/\(id)")
            #expect(gone.summary == "404 REPORT_NOT_FOUND")
        }
        let patch = try await world.client(1).send(.patch, "/reports/\(id)", json: "{}")
        #expect(patch.summary == "404 REPORT_NOT_FOUND")
    }

    @Test(
        .service,
        arguments: [
            "", "{", "[]", "{}", #"{"reportedUserId":2}"#, #"{"reason":"x"}"#, #"{"reportedUserId":null,"reason":"x"}"#,
            #"{"reportedUserId":2,"reason":null}"#, #"{"reportedUserId":2,"reason":""}"#,
            #"{"reportedUserId":2,"reason":" \n "}"#, #"{"reportedUserId":2,"reason":"a\u0000b"}"#,
            #"{"reportedUserId":2,"reason":5}"#, #"{"reportedUserId":"2","reason":"x"}"#,
            #"{"reportedUserId":2,"reason":"\#(String(repeating: "가", count: 1001))"}"#,
            #"{"reportedUserId":9223372036854775808,"reason":"x"}"#, #"{"reportedUserId":2,"reason":"\ud800"}"#,
        ]
    )
    func invalidReport_isRefused(body: String) async throws {
        let answer = try await world.client(1).send(.post, "/reports", json: body)
        #expect(["400 BAD_REQUEST", "400 VALIDATION_ERROR"].contains(answer.summary), "\(answer.text)")
        #expect(try await mine(1).isEmpty)
    }

    @Test(.service, arguments: ["0", "-1", "x", "99999999999999999999"])
    func invalidReportID_returns400(id: String) async throws {
        for method in [HTTPRequest.Method.get, .patch, .delete] {
            let answer = try await world.client(1).send(method, "/reports/\(id)", json: "{}")
            #expect(answer.summary == "400 BAD_REQUEST")
        }
    }
}
