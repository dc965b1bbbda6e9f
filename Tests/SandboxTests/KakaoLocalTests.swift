import Districts
import FoundationEssentials
import Testing

@testable import Sandbox

@Suite(.sandbox) struct KakaoLocalTests {
    private let sandbox = SandboxClient.current

    private struct Page<Document: Decodable>: Decodable {
        var meta: Meta
        var documents: [Document]
    }

    private struct Meta: Decodable, Equatable {
        var totalCount: Int
        var pageableCount: Int?
        var isEnd: Bool?
    }

    private struct Address: Decodable {
        var addressName: String
        var addressType: String
        var x: String
        var y: String
        var address: Part?
        var roadAddress: Part?
    }

    private struct Part: Decodable {
        var addressName: String
        var region3: String
        var mainAddressNo: String?
        var roadName: String?
        var x: String?

        enum CodingKeys: String, CodingKey {
            case addressName, mainAddressNo, roadName, x
            case region3 = "region3DepthName"
        }
    }

    private struct Place: Decodable, Equatable {
        var id: String
        var placeName: String
        var addressName: String
        var roadAddressName: String
        var x: String
        var y: String
        var distance: String
    }

    private struct Refusal: Decodable, Equatable {
        var errorType: String
        var message: String
    }

    private static let key = "KakaoAK madang-development-rest-key"

    private func ask(_ path: String, _ query: String, key: String? = Self.key) async throws -> Reply {
        let query = query.utf8.map { byte in
            byte < 0x80 && byte != 0x20 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }.joined()
        return try await sandbox.get("/kakao/v2/local/\(path).json?\(query)", authorization: key)
    }

    private func addresses(_ query: String) async throws -> Page<Address> {
        try await ask("search/address", "query=\(query)").decode()
    }

    private func places(_ query: String) async throws -> Page<Place> {
        try await ask("search/keyword", "query=\(query)").decode()
    }

    @Test func lotAddress_hasBothAddressesAndCoordinates() async throws {
        let reply = try await ask("search/address", "query=노원구 상계동 123-4")
        let page = try reply.decode(Page<Address>.self)
        #expect(page.meta == Meta(totalCount: 1, pageableCount: 1, isEnd: true))
        let found = try #require(page.documents.first)
        #expect(found.addressName == "서울 노원구 상계동 123-4" && found.addressType == "REGION_ADDR")
        #expect(found.address?.region3 == "상계동" && found.address?.mainAddressNo == "123")
        #expect(found.roadAddress?.addressName == "서울 노원구 상계로 123-4")
        #expect(found.roadAddress?.roadName == "상계로" && found.address?.x == found.x)
        let nearest = try Neighbourhood.nearest(
            latitude: #require(Double(found.y)),
            longitude: #require(Double(found.x))
        )
        #expect(nearest.district == "노원구")
        #expect(try await ask("search/address", "query=노원구 상계동 123-4").text == reply.text)
    }

    @Test func addressSearch_returnsKindOfEachResult() async throws {
        for (query, kind, names) in [
            ("서울", "REGION", ["서울"]), ("노원구", "REGION", ["서울 노원구"]),
            ("신사동", "REGION", ["서울 은평구 신사동", "서울 관악구 신사동", "서울 강남구 신사동"]),
            ("상계로", "ROAD", ["서울 노원구 상계로"]), ("상계로 12", "ROAD_ADDR", ["서울 노원구 상계로 12"]),
            ("없는동", "", []), ("12", "", []),
        ] {
            let page = try await addresses("\(query)")
            #expect(page.documents.map(\.addressName) == names, "\(query)")
            #expect(page.documents.allSatisfy { $0.addressType == kind }, "\(query)")
        }
        let region = try await ask("search/address", "query=상계동")
        #expect(region.text.contains(#""road_address":null"#))
        let road = try await ask("search/address", "query=상계로")
        #expect(road.text.contains(#""address":null"#))
    }

    @Test func pages_areConsecutive_andLastIsRepeated() async throws {
        var names: [String] = []
        var page = 0
        var isEnd = false
        while !isEnd {
            page += 1
            let answer = try await addresses("서울 100&size=30&page=\(page)")
            names += answer.documents.map(\.addressName)
            isEnd = answer.meta.isEnd ?? true
            #expect(answer.documents.count == 30 || isEnd)
            #expect(answer.meta.totalCount == answer.meta.pageableCount)
        }
        #expect(page > 3 && Set(names).count == names.count)
        let beyond = try await addresses("서울 100&size=30&page=45")
        #expect(beyond.documents.map(\.addressName) == names.suffix(beyond.documents.count))
        #expect(beyond.meta.isEnd == true)
    }

    @Test func keywordSearch_findsPlacesByName() async throws {
        let page = try await places("상계동 주민센터")
        #expect(page.documents.map(\.placeName) == ["상계동주민센터"])
        #expect(page.documents[0].addressName.hasPrefix("서울 노원구 상계동 "))
        #expect(page.documents[0].roadAddressName.hasPrefix("서울 노원구 상계로 "))
        #expect(page.documents[0].distance == "")
        let station = try await places("상계역")
        #expect(station.documents.map(\.placeName) == ["상계역 4호선"])
        let many = try await places("카페&page=3")
        #expect(many.documents.count == 15 && many.meta.isEnd == true && many.meta.pageableCount == 45)
        #expect(many.meta.totalCount > 45)
    }

    @Test func keywordSearch_sortedByDistance_returnsNearestFirst() async throws {
        let places = try await places("카페&x=127.0657&y=37.6561&sort=distance&radius=3000").documents
        let distances = places.compactMap { Int($0.distance) }
        #expect(distances.count == places.count && !distances.isEmpty)
        #expect(distances == distances.sorted() && distances.allSatisfy { $0 <= 3000 })
    }

    @Test func coordinates_haveAddressUnlessAtSea() async throws {
        var roadless = 0
        for step in 0..<10 {
            let reply = try await ask("geo/coord2address", "x=127.060\(step)&y=37.6561")
            let page = try reply.decode(Page<Spot>.self)
            #expect(page.meta.totalCount == 1)
            let address = page.documents.first?.address
            #expect(address?.region3.hasSuffix("동") == true && address?.x == nil)
            if page.documents.first?.roadAddress == nil { roadless += 1 }
        }
        #expect((1...9).contains(roadless))
        let sea = try await ask("geo/coord2address", "x=125&y=36").decode(Page<Spot>.self)
        #expect(sea.meta.totalCount == 0 && sea.documents.isEmpty)
    }

    private struct Spot: Decodable {
        var address: Part
        var roadAddress: Part?
    }

    @Test(arguments: [
        ("search/address", "", "MissingParameter"), ("search/keyword", "query=", "MissingParameter"),
        ("search/address", "query=a&page=0", "InvalidArgument"),
        ("search/address", "query=a&page=46", "InvalidArgument"),
        ("search/address", "query=a&size=31", "InvalidArgument"),
        ("search/keyword", "query=a&size=16", "InvalidArgument"),
        ("search/keyword", "query=a&page=x", "InvalidArgument"),
        ("search/keyword", "query=a&sort=x", "InvalidArgument"),
        ("search/keyword", "query=a&x=1", "MissingParameter"), ("geo/coord2address", "x=127", "MissingParameter"),
        ("geo/coord2address", "", "MissingParameter"), ("geo/coord2address", "x=a&y=37", "InvalidArgument"),
        ("geo/coord2address", "x=190&y=37", "InvalidArgument"),
    ])
    func invalidQuery_isRefused(path: String, query: String, type: String) async throws {
        let reply = try await ask(path, query)
        #expect(reply.status == 400)
        #expect(try JSONDecoder().decode(Refusal.self, from: Data(reply.text.utf8)).errorType == type)
    }

    @Test(arguments: [nil, "KakaoAK wrong", "Bearer madang-development-rest-key", "KakaoAK "])
    func request_withoutValidKey_returns401(key: String?) async throws {
        let reply = try await ask("search/address", "query=a", key: key)
        #expect(reply.status == 401 && reply.texts["errorType"] == "AccessDeniedError")
    }

    @Test func orderedFault_hasFormatOfSearchAPI() async throws {
        for (status, type) in [(429, "RequestThrottled"), (500, "InternalError"), (401, "AccessDeniedError")] {
            try await sandbox.fault("http", of: "kakao", status: status)
            let reply = try await ask("search/address", "query=a")
            #expect(reply.status == status && reply.texts["errorType"] == type)
        }
        let unknown = try await ask("search/nothing", "query=a")
        #expect(unknown.status == 404 && unknown.texts["errorType"] == "ResourceNotFound")
    }
}

@Suite struct KakaoRegionsTests {
    @Test(arguments: [
        ("창신제1동", "창신동"), ("상계6.7동", "상계동"), ("면목본동", "면목동"), ("명동", "명동"), ("창제1동", "창동"), ("목5동", "목동"),
        ("홍제제1동", "홍제동"), ("제기동", "제기동"),
    ])
    func administrativeNeighbourhood_mapsToLegalOne(office: String, legal: String) throws {
        #expect(Neighbourhood.all.contains { $0.name == office })
        #expect(KakaoRegions().quarters.contains { $0.name == legal })
    }
}
