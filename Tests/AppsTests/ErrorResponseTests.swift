import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Testing

@Suite struct ErrorResponseTests {
    private func answer(_ kind: Problem.Kind, _ app: App?) -> ErrorResponse {
        Problem(kind, message: "왜 \"그런지\"\n").errorResponse(for: app, requestID: "r-1")
    }

    @Test(arguments: Problem.Kind.allCases, [App.seatcatcher, .moup, .anlaka, .culture, .withsuhyeon, nil])
    func errorBody_hasMembersOfApp(kind: Problem.Kind, app: App?) throws {
        let answer = answer(kind, app)
        #expect((400..<600).contains(answer.status.code))
        guard !answer.body.isEmpty else {
            #expect(app == .moup && answer.contentType == nil)
            return
        }
        let members = try JSONDecoder().decode([String: String?].self, from: Data(answer.body.utf8))
        let expected: Set<String> =
            switch app {
            case .seatcatcher, nil: ["error", "message", "code", "requestId"]
            case .moup: ["errorCode", "errorMessage"]
            case .anlaka, .culture: ["message"]
            case .withsuhyeon: ["errorCode", "message", "result"]
            }
        #expect(Set(members.keys) == expected)
        #expect(members.values.contains("왜 \"그런지\"\n"))
    }

    @Test func seatCatcher401_meansTokenErrorsOnly() {
        let tokens: Set<Problem.Kind> = [
            .unauthenticated, .accessExpired, .accessMalformed, .accessMistyped, .accessUnsupported, .accessUnverified,
            .refreshInvalid, .refreshExpired, .appKey, .accountGone,
        ]
        for kind in Problem.Kind.allCases {
            #expect((answer(kind, .seatcatcher).status == .unauthorized) == tokens.contains(kind))
        }
    }

    @Test func keyedApps_haveTheirOwnStatuses() {
        for app in [App.anlaka, .culture] {
            #expect(answer(.appKey, app).status.code == 420)
            #expect(answer(.accessExpired, app).status.code == 419)
            #expect(answer(.refreshExpired, app).status.code == 418)
            #expect(answer(.unauthenticated, app).status.code == 401)
            #expect(answer(.unknownRoute, app).status.code == 444)
            #expect(answer(.notOwner, app).status.code == 445)
            #expect(answer(.tooMany, app).status.code == 429)
        }
        #expect(answer(.notFound, .anlaka).status.code == 404)
        #expect(answer(.notFound, .culture).status.code == 410)
    }

    @Test func moupUnauthenticated_hasEmptyBody() {
        #expect(answer(.unauthenticated, .moup).body == "")
        #expect(answer(.accessExpired, .moup).status == .unauthorized)
        #expect(answer(.refreshInvalid, .moup).status == .badRequest)
        #expect(answer(.refreshInvalid, .moup).body.contains("AUTH_400"))
        #expect(answer(.invalid, .moup).status.code == 422)
    }

    @Test func withSuhyeonNotFound_returns410() {
        #expect(answer(.notFound, .withsuhyeon).status == .gone)
        #expect(answer(.unknownRoute, .withsuhyeon).status == .notFound)
        #expect(answer(.accessExpired, .withsuhyeon).body.contains("REQUEST_014"))
    }
}
