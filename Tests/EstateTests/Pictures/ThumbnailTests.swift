import Apps
import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres
import ServiceKit
import TestKit
import Testing
import Values

@testable import Estate

/// Pictures that listings use.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ThumbnailTests {
    private var world: EstateWorld { .current }

    private func age(_ world: EstateWorld, _ interval: String) async throws {
        try await world.database.execute("UPDATE uploads SET expires_at = expires_at - \(interval)::text::interval")
    }

    private func body(_ paths: [String]) -> EstateBody {
        var body = EstateBody()
        body.thumbnails = paths
        return body
    }

    @Test(.service) func thumbnails_ofListing_areKept() async throws {
        let paths = try await world.upload(Picture.jpeg(), Picture.png(), Picture.jpeg(size: 700))
        let id = try await world.list(9, body([paths[1], paths[0], paths[1]]))
        let shown = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        #expect(shown.thumbnails == [paths[1], paths[0], paths[1]])
        _ = try await world.list(9, body([paths[0]]))
        try await age(world, "25 hours")
        #expect(try await world.serves(paths[0]))
        #expect(try await world.serves(paths[1]))
        #expect(try await !world.serves(paths[2]))
        let late = try await world.client(9).send(.post, "/v1/estates", json: body([paths[2]]).text)
        #expect(late.status == .badRequest)
    }

    /// Runs `body` with a community service where account 9 has files of these names.
    private func withCommunity(
        _ files: [String: [UInt8]],
        _ body: @escaping @Sendable (EstateWorld) async throws -> Void
    ) async throws {
        let community = try ServiceHost.application(
            "community",
            configuration: HostConfiguration(.community, port: 0),
            apiDocument: Array("{}".utf8),
            services: [],
            checks: [],
            logger: .quiet,
            prepare: {},
            routes: { router in
                router.on(.get, "internal/files/:name", from: .estate) { request, context in
                    guard request.query("account") == "9", let bytes = files[context.parameters.get("name") ?? ""]
                    else { throw Problem(.notFound, message: "There is no such file of this account.") }
                    return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
                }
            }
        )
        try await community.test(.live) { community in
            let url = "http://127.0.0.1:\(community.port ?? 0)"
            try await EstateWorld.test({ $0.communityURLs = [url] }, body)
        }
    }

    @Test func postFiles_areCopiedToListing() async throws {
        try await withCommunity(["a.jpg": Picture.jpeg(), "b.png": Picture.png()]) { world in
            let paths = ["/data/posts/a.jpg", "/data/posts/b.png", "/data/posts/a.jpg"]
            let id = try await world.list(9, body(paths))
            let shown = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self).thumbnails
            #expect(shown.count == 3 && shown[0] == shown[2] && shown.allSatisfy { $0.hasPrefix("/data/estates/") })
            #expect(shown[1].hasSuffix(".png"))
            try await age(world, "25 hours")
            for path in shown { #expect(try await world.serves(path)) }
        }
    }

    @Test func foreignPostFile_isNotCopied() async throws {
        try await withCommunity(["a.jpg": Picture.jpeg(), "c.pdf": Array("%PDF-1.7 text".utf8)]) { world in
            for path in [
                "/data/posts/z.jpg", "/data/posts/c.pdf", "/data/posts/", "/data/posts/../a.jpg", "/data/posts/a.jpg?x",
            ] {
                let answer = try await world.client(9).send(.post, "/v1/estates", json: body([path]).text)
                #expect(answer.status == .badRequest && answer.text.contains("thumbnails"), "\(path)")
            }
            let others = try await world.client(1).send(.post, "/v1/estates", json: body(["/data/posts/a.jpg"]).text)
            #expect(others.status == .badRequest)
            #expect(try await world.count("listings") == 0)
        }
    }

    /// The client gets 503, and may repeat the request.
    @Test(.service { $0.communityURLs = ["http://127.0.0.1:9"] }) func copy_duringCommunityOutage_returns503()
        async throws
    {
        let answer = try await world.client(9).send(.post, "/v1/estates", json: body(["/data/posts/a.jpg"]).text)
        #expect(answer.status == .serviceUnavailable)
        #expect(try await world.count("listings") == 0)
    }

    @Test(.service) func foreignUpload_isRefused() async throws {
        let (own, theirs) = (try await world.upload(Picture.jpeg()), try await world.upload(Picture.jpeg(), by: 1))
        for bad in [theirs[0], "/v1\(own[0])", "x", "", "\(own[0])\0", "/data/estates/x.jpg"] {
            let text = body([own[0], "BAD"]).text.replacing("BAD", with: JSONText.string(bad).dropFirst().dropLast())
            let answer = try await world.client(9).send(.post, "/v1/estates", json: text)
            #expect(answer.status == .badRequest, "\(bad)")
            #expect(answer.text.contains("thumbnails"), "\(answer.text)")
        }
        #expect(try await world.count("listings") == 0)
        // The refused listing does not keep its valid pictures.
        try await age(world, "25 hours")
        #expect(try await !world.serves(own[0]))
    }

    @Test(.service) func repeatedRequest_keepsFirstThumbnails() async throws {
        let paths = try await world.upload(Picture.jpeg(), Picture.png())
        let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "a"]
        for path in [paths[0], paths[0], paths[1]] {
            let answer = try await world.client(9).send(.post, "/v1/estates", json: body([path]).text, headers: key)
            #expect(try answer.json(EstateAnswer.self).thumbnails == [paths[0]])
        }
        try await age(world, "25 hours")
        #expect(try await world.serves(paths[0]))
        #expect(try await !world.serves(paths[1]))
    }

    @Test(.service) func import_acceptsCreatorsPicturesOnly() async throws {
        let (own, theirs) = (
            try await world.upload(Picture.jpeg(), Picture.png()), try await world.upload(Picture.png(), by: 1)
        )
        let good = EstateAPI.NewListing.fixture("z") { $0.thumbnails = own }
        let bad = EstateAPI.NewListing.fixture("a") { $0.thumbnails = [own[0], theirs[0]] }
        let refused = try await world.importAll([good, bad])
        #expect(refused.status == .badRequest)
        #expect(refused.text.contains("listings[1].thumbnails"), "\(refused.text)")
        #expect(try await world.count("listings") == 0)
        #expect(try await world.importAll([good]).status == .ok)
        // An existing listing is not checked again.
        let again = EstateAPI.NewListing.fixture("z") { $0.thumbnails = theirs }
        #expect(try await world.importAll([again]).json(EstateAPI.Imported.self).kept == 1)
        try await age(world, "25 hours")
        for path in own { #expect(try await world.serves(path)) }
        #expect(try await !world.serves(theirs[0]))
    }

    @Test(.service) func withdrawal_deletesPicturesExceptReserved() async throws {
        let paths = try await world.upload(Picture.jpeg(), Picture.png(), Picture.jpeg(size: 700))
        let theirs = try await world.upload(Picture.jpeg(), by: 1)
        let reserved = try await world.list(9, body([paths[0]]))
        _ = try await world.list(9, body([paths[0], paths[1]]))
        let order = PaymentsEvents.ReservationChanged(listing: "\(reserved)", account: 2, order: "o", state: .paid)
        #expect(try await world.deliver(order) == 204)
        for _ in 0..<2 {
            #expect(try await world.deliver(AuthEvents.AccountWithdrawn(account: 9, app: .anlaka)) == 204)
            #expect(try await world.serves(paths[0]))
            #expect(try await !world.serves(paths[1]))
            #expect(try await !world.serves(paths[2]))
            #expect(try await world.serves(theirs[0]))
        }
        #expect(try await world.view([reserved]).first?.thumbnails == [paths[0]])
    }
}
