import Contracts
import Files
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct GalleryTests {
    private var world: CompanionWorld { .current }

    private struct Item: Decodable {
        var galleryId: Int32
        var imageUrl: String
        var title: String
    }

    private struct List: Decodable { var galleries: [Item] }
    private struct Own: Decodable { var userGalleries: [Item] }

    private struct Detail: Decodable {
        var imageUrl: String
        var category: String
        var title: String
        var profileImage: String
        var nickname: String
        var createdAt: String
        var content: String
        var owner: Bool
    }

    private func add(
        _ title: String,
        _ category: String = "바다",
        content: String = "",
        by account: AccountID = 1
    ) async throws -> Int32 {
        let form = GalleryFormJSON(category: category, title: title, content: content).form(
            Picture.jpeg(orientation: 6)
        )
        let answer = try await world.client(account).send(.post, "/api/v1/galleries", form: form)
        try #require(answer.isPlainSuccess, "\(answer.text)")
        return try await world.database.one("SELECT max(id) FROM gallery_items") { try $0.decode(Int32.self) }
    }

    private func list(_ query: [String: String?]) async throws -> [String] {
        let path = "/api/v1/galleries?\(CompanionWorld.query(query))"
        return try await world.get(path, 2, as: List.self).galleries.map(\.title)
    }

    @Test func pictureURL_isAbsoluteAndPublic() async throws {
        let id = try await add("노을", content: "해 질 녘\n바다")
        let seen: Detail = try await world.get("/api/v1/galleries/\(id)", 2)
        #expect(seen.title == "노을" && seen.content == "해 질 녘\n바다" && seen.category == "바다" && !seen.owner)
        #expect(seen.nickname == "하루" && seen.profileImage == "img_red_suma" && seen.createdAt.contains("월 "))
        #expect(try await world.get("/api/v1/galleries/\(id)", 1, as: Detail.self).owner)
        let host = "https://service.example"
        #expect(seen.imageUrl.hasPrefix("\(host)/api/v1/galleries/images/"))
        let path = String(seen.imageUrl.dropFirst(host.count))
        let file = try await ServiceClient(world.client, to: .community, app: .withsuhyeon).send(.get, path)
        #expect(file.status == .ok && file.headers[.contentType] == "image/jpeg")
        #expect(!String(decoding: file.body.readableBytesView, as: UTF8.self).contains(Picture.place))
        #expect(file.body.readableBytes > 500)
        // Neither another app nor another name finds it.
        #expect(
            try await ServiceClient(world.client, to: .community, app: .culture).send(.get, path).status.code == 444
        )
        let unknown = try await ServiceClient(world.client, to: .community, app: .withsuhyeon).send(.get, "\(path)x")
        #expect(unknown.refusal == "410 REQUEST_009")
    }

    @Test func gallery_isPagedByCursor() async throws {
        for number in 1...5 { _ = try await add("\(number)", number == 3 ? "카페" : "바다") }
        let first: List = try await world.get("/api/v1/galleries?size=2", 2)
        #expect(first.galleries.map(\.title) == ["5", "4"])
        let cursor = try #require(first.galleries.last?.galleryId)
        #expect(try await list(["size": "2", "cursorId": "\(cursor)"]) == ["3", "2"])
        #expect(try await list(["size": "2", "cursorId": "\(cursor - 2)"]) == ["1"])
        #expect(try await list(["cursorId": "\(cursor - 3)"]) == [])
        for category in ["all", ""] { #expect(try await list(["category": category]) == ["5", "4", "3", "2", "1"]) }
        #expect(try await list(["category": "바다", "cursorId": "\(cursor)"]) == ["2", "1"])
        #expect(try await list(["category": "카페"]) == ["3"])
        #expect(try await list(["category": "기타"]) == [])
        #expect(try await list(["cursorId": "9223372036854775807"]).count == 5)
        #expect(try await list(["cursorId": "-5"]) == [])
        #expect(try await list(["size": "1"]) == ["5"])
        #expect(try await list(["size": "100"]).count == 5)
        for (query, refusal) in [
            (["size": "0"], "400 REQUEST_001"), (["size": "101"], "400 REQUEST_001"),
            (["size": "x"], "400 REQUEST_001"), (["cursorId": "x"], "400 REQUEST_001"),
            (["category": "전체"], "400 CONSTANT_001"), (["category": "BEACH"], "400 CONSTANT_001"),
            (["category": "바다\0"], "400 CONSTANT_001"),
        ] {
            let path = "/api/v1/galleries?\(CompanionWorld.query(query))"
            #expect(try await world.client(2).send(.get, path).refusal == refusal, "\(query)")
        }
    }

    @Test func gallery_pageSizeDefaultsToTwenty() async throws {
        try await world.database.execute(
            """
            INSERT INTO gallery_items (author_id, category, title, content, picture)
            SELECT 1, 'beach', n::text, '', 'x' FROM generate_series(1, 1001) n
            """
        )
        #expect(try await list([:]).count == 20)
        let own: Own = try await world.get("/api/v1/mypage/galleries", 1)
        #expect(own.userGalleries.count == 1000 && own.userGalleries.first?.title == "1001")
        #expect(try await world.get("/api/v1/mypage/galleries", 2, as: Own.self).userGalleries.isEmpty)
    }

    @Test func deletion_byUploaderOnly_removesFile() async throws {
        let (id, other) = (try await add("하나"), try await add("둘", by: 2))
        let path = "/api/v1/galleries/\(id)"
        let url = try await world.get(path, 1, as: Detail.self).imageUrl.dropFirst("https://service.example".count)
        #expect(try await world.client(2).send(.delete, path).refusal == "403 GALLERY_006")
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await world.client(1).send(.delete, path).status.code } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(statuses == [204, 410, 410, 410])
        #expect(try await world.client(1).send(.get, path).refusal == "410 GALLERY_005")
        #expect(try await world.client(2).send(.delete, path).refusal == "410 GALLERY_005")
        #expect(try await world.client(2).send(.get, String(url)).status == .gone)
        #expect(try await list([:]) == ["둘"])
        while try await world.count("uploads") > 1 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try await world.client(1).send(.get, "/api/v1/galleries/\(other)").status == .ok)
    }

    @Test(arguments: ["x", "0", "-1", "9223372036854775808", "1%00"])
    func invalidId_returns410(id: String) async throws {
        for method in [HTTPRequest.Method.get, .delete] {
            let answer = try await world.client(1).send(method, "/api/v1/galleries/\(id)")
            #expect(answer.refusal == "410 REQUEST_009", "\(answer.text)")
        }
        // A number beyond the range of ids counts as a missing picture.
        #expect(try await world.client(1).send(.get, "/api/v1/galleries/4294967297").refusal == "410 GALLERY_005")
    }
}

/// The client's description of a picture, and the form with both; tests change a field.
struct GalleryFormJSON {
    var category = "바다"
    var title = "노을"
    var content = ""
    var type = "application/json"
    /// Replaces the whole JSON text of the description.
    var json: String?

    var part: (name: String, bytes: [UInt8]) {
        func escaped(_ text: String) -> String { text.replacing("\n", with: "\\n").replacing("\0", with: "\\u0000") }
        let fields = [("category", category), ("title", title), ("content", content)]
        let text = json ?? "{\(fields.map { #""\#($0)":"\#(escaped($1))""# }.joined(separator: ","))}"
        return ("createGalleryRequest", Array(text.utf8))
    }

    func form(_ picture: [UInt8]?, from form: MultipartForm = MultipartForm()) -> MultipartForm {
        let form = picture.map { form.file("image", $0, filename: "image.jpg") } ?? form
        return form.file(part.name, part.bytes, filename: "x", type: type)
    }
}
