import Contracts
import Files
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct EnumTests {
    private var world: CompanionWorld { .current }

    private struct Regions: Decodable {
        struct Location: Decodable {
            var location: String
            var subLocations: [String]
        }

        var regions: [Location]
    }

    private struct Categories: Decodable {
        struct Item: Decodable {
            var imageUrl: String
            var category: String
        }

        var categories: [Item]
    }

    @Test func regions_areInClientsOrder() async throws {
        let anonymous = ServiceClient(world.client, to: .community, app: .withsuhyeon)
        let answer = try await anonymous.send(.get, "/api/v1/enums/regions")
        let regions = try answer.json(CompanionWorld.Envelope<Regions>.self).result.regions
        #expect(regions.map(\.location) == ["전국", "서울", "부산", "제주", "인천", "강원", "경기", "경상", "전라", "충청"])
        #expect(regions.map(\.subLocations.count) == [1, 14, 11, 9, 6, 6, 11, 8, 8, 6])
        #expect(regions[0].subLocations == ["전국 전체"] && regions[9].subLocations.last == "충주/제천/단양")
    }

    @Test(arguments: ["/api/v1/enums/regions", "/api/v1/enums/categories"])
    func enums_areKeptByCaches(path: String) async throws {
        let answer = try await ServiceClient(world.client, to: .community, app: .withsuhyeon).catalogue(path)
        #expect(answer.status == .ok && answer.statusWithTag == .notModified)
        #expect(answer.cacheControl == "public, max-age=3600")
    }

    @Test func categories_havePublicPictures() async throws {
        let anonymous = ServiceClient(world.client, to: .community, app: .withsuhyeon)
        let answer = try await anonymous.send(.get, "/api/v1/enums/categories")
        let categories = try answer.json(CompanionWorld.Envelope<Categories>.self).result.categories
        let names = ["바다", "카페", "학교", "파티룸", "공항", "스키장", "캠핑", "회식", "수영장", "자취방", "엠티", "해외여행", "도서관", "찜질방", "기타"]
        #expect(categories.map(\.category) == names)
        #expect(Set(categories.map(\.imageUrl)).count == 15)
        var pictures: Set<[UInt8]> = []
        for url in categories.map(\.imageUrl) {
            let path = url.dropFirst("https://service.example".count)
            let picture = try await anonymous.send(.get, String(path))
            #expect(picture.status == .ok && picture.headers[.contentType] == "image/png")
            #expect(FileType(head: picture.body.readableBytesView) == .png)
            pictures.insert(Array(picture.body.readableBytesView))
        }
        #expect(pictures.count == 15)
        for name in ["all.png", "beach", "beach.jpg", "..%2Fbeach.png", "%00"] {
            let answer = try await anonymous.send(.get, "/api/v1/enums/categories/\(name)")
            #expect(answer.refusal == "410 REQUEST_009", "\(name)")
        }
    }
}
