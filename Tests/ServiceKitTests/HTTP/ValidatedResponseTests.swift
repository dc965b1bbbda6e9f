import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

/// Operations that answer all callers alike.
@Suite(.timeLimit(.minutes(1))) struct ValidatedResponseTests {
    /// A service whose answers can be changed.
    private final class Answers: Sendable {
        let current = Mutex(Response.text("one"))

        var response: Response {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }
    }

    private let answers = Answers()

    private func send(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        app: App = .seatcatcher,
        knows tags: String? = nil
    ) async throws -> TestResponse {
        let answers = answers
        let application = try ServiceHost.application(
            "test",
            configuration: HostConfiguration(.seats, port: 0),
            apiDocument: [],
            services: [],
            checks: [],
            logger: .quiet,
            prepare: {},
            routes: { router in
                let seatcatcher = router.app(SeatCatcher.self)
                seatcatcher.on(\.searchStations) { (_, _: SignedInContext) in answers.response }
                seatcatcher.on(\.listTags) { (_, _: SignedInContext) in answers.response }
                seatcatcher.on(\.listFavorites) { (_, _: SignedInContext) in answers.response }
                router.app(WithSuhyeon.self).on(\.listRegions) { (_, _: AppRequestContext) in
                    answers.response
                }
            }
        )
        var headers: HTTPFields = [:]
        headers[.ifNoneMatch] = tags
        return try await application.test(.live) { [headers] client in
            try await ServiceClient(client, to: .seats, app: app, account: 1).send(method, path, headers: headers)
        }
    }

    @Test func content_hasATag_andIsKeptByCaches() async throws {
        let stations = try await send("/stations")
        #expect(stations.status == .ok && stations.text == "one")
        #expect(stations.headers[.eTag] == EntityTag(of: ByteBuffer(string: "one")).text)
        #expect(stations.headers[.cacheControl] == "private, max-age=3600")
        #expect(stations.headers[.contentLength] == "3")
        #expect(try await send("/tags").headers[.cacheControl] == "private, no-cache")
        let regions = try await send("/api/v1/enums/regions", app: .withsuhyeon)
        #expect(regions.headers[.cacheControl] == "public, max-age=3600")
        let favorites = try await send("/favorites")
        #expect(favorites.headers[.eTag] == nil && favorites.headers[.cacheControl] == nil)
    }

    @Test(arguments: [HTTPRequest.Method.get, .head])
    func contentThatTheClientHas_isNotSentAgain(method: HTTPRequest.Method) async throws {
        let tag = try #require(try await send("/tags").headers[.eTag])
        for known in [tag, "W/\(tag)", "\"a\", W/\"b\" ,W/\(tag)", "*"] {
            let answer = try await send("/tags", method, knows: known)
            #expect(answer.status == .notModified && answer.text == "", "\(known)")
            #expect(answer.headers[.eTag] == tag && answer.headers[.cacheControl] == "private, no-cache")
            #expect(answer.headers[.contentLength] == nil && answer.headers[.contentType] == nil)
        }
        for other in ["", "\"a\"", "one", String(tag.dropFirst())] {
            let answer = try await send("/tags", method, knows: other)
            #expect(answer.status == .ok && answer.headers[.eTag] == tag, "\(other)")
            #expect(answer.headers[.contentLength] == "3" && answer.text == (method == .head ? "" : "one"))
        }
        answers.response = .text("two")
        let changed = try await send("/tags", method, knows: tag)
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
    }

    @Test func bodyInPieces_isOneContent() async throws {
        answers.response = Response(
            status: .ok,
            body: ResponseBody(contentsOf: ["o", "n", "e"].map { ByteBuffer(string: $0) })
        )
        let answer = try await send("/tags")
        #expect(answer.text == "one" && answer.headers[.eTag] == EntityTag(of: ByteBuffer(string: "one")).text)
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .badRequest, .notFound, .created])
    func otherStatuses_areKeptByNoCache(_ status: HTTPResponse.Status) async throws {
        answers.response = .text("one", status: status)
        for known in [nil, "*"] {
            let answer = try await send("/tags", knows: known)
            #expect(answer.status == status && answer.headers[.eTag] == nil && answer.headers[.cacheControl] == nil)
        }
    }
}
