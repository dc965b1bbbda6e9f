import FoundationEssentials
import Logging
import ServiceKit
import TestKit
import Testing

@testable import Estate

@Suite(.timeLimit(.minutes(1))) struct KakaoLocalClientTests {
    private func address(_ json: String) throws -> FoundPlace? {
        try JSONDecoder().decode(KakaoAnswers.Address.self, from: Data(json.utf8)).found
    }

    private static let lot =
        #""address":{"address_name":"서울 노원구 상계동 1","region_3depth_name":"상계동","x":"127.1","y":"37.1"}"#
    private static let road =
        #""road_address":{"address_name":"서울 노원구 상계로 2","region_2depth_name":"노원구","x":"127.2","y":"37.2"}"#
    private static let own = #""address_name":"이름","x":"127.3","y":"37.3""#

    @Test func address_prefersLotOverRoadOverDocument() throws {
        let all = try address("{\(Self.own),\(Self.lot),\(Self.road)}")
        #expect(all?.latitude == 37.1 && all?.longitude == 127.1 && all?.region == "상계동")
        #expect(all?.title == "서울 노원구 상계동 1" && all?.subtitle == "서울 노원구 상계로 2")
        let unplaced = Self.lot.replacing(#""x":"127.1""#, with: #""x":"""#)
        #expect(try address("{\(Self.own),\(unplaced),\(Self.road)}")?.latitude == 37.2)
        let road = try address(#"{\#(Self.own),"address":null,\#(Self.road)}"#)
        #expect(road?.latitude == 37.2 && road?.title == "이름" && road?.region == "노원구")
        let bare = try address(#"{\#(Self.own),"address":null,"road_address":null}"#)
        #expect(bare?.latitude == 37.3 && bare?.subtitle == "" && bare?.region == "이름")
        #expect(try address(#"{"address_name":"이름","x":"200","y":"nan"}"#) == nil)
    }

    @Test func name_prefersRoadAndNearestRegion() throws {
        func name(_ json: String) throws -> PlaceName? {
            try JSONDecoder().decode(KakaoAnswers.Spot.self, from: Data(json.utf8)).name
        }
        let both = try name("{\(Self.lot),\(Self.road)}")
        #expect(both == PlaceName(title: "서울 노원구 상계로 2", subtitle: "서울 노원구 상계동 1", region: "노원구"))
        let lot = try name(#"{\#(Self.lot),"road_address":null}"#)
        #expect(lot == PlaceName(title: "서울 노원구 상계동 1", subtitle: nil, region: "상계동"))
        for (parts, region) in [
            (#""region_1depth_name":"서울","region_2depth_name":"","region_3depth_name":"""#, "서울"),
            (#""region_1depth_name":"""#, "어딘가"),
        ] {
            let found = try name(#"{"address":{"address_name":"어딘가",\#(parts)}}"#)
            #expect(found?.region == region)
        }
        #expect(try name("{}") == nil)
    }

    @Test(arguments: [("서울 노원구 상계동 123-4", "상계동"), ("경기 양평군 양서면 양수리 산 12", "양수리"), ("서울 중구 을지로1가", "을지로1가"), ("", "")])
    func region_isLastPartWithoutNumber(address: String, region: String) throws {
        let json = #"{"place_name":"a","address_name":"\#(address)","x":"127","y":"37"}"#
        #expect(try JSONDecoder().decode(KakaoAnswers.Place.self, from: Data(json.utf8)).found?.region == region)
    }

    @Test func merge_dropsDuplicates() {
        let place = FoundPlace(kind: .place, title: "a", subtitle: "", longitude: 1, latitude: 2, region: "")
        var (elsewhere, other, address) = (place, place, place)
        elsewhere.latitude = 3
        other.title = "b"
        address.kind = .address
        #expect(Places.merge([[address, other], [place, elsewhere, other]]) == [address, other, elsewhere])
    }

    @Test func call_afterTimeout_throws() async throws {
        try await PlaceWorld.sandbox { sandbox, url in
            let client = KakaoLocalClient(
                url: url,
                key: EstateConfiguration.developmentKakaoKey,
                timeout: .milliseconds(300)
            )
            try await PlaceWorld.fail(sandbox, "timeout", status: 0, count: 1)
            await #expect(throws: ProviderUnavailable.self) { try await client.addresses("상계동", 1) }
            let patient = KakaoLocalClient(url: url, key: EstateConfiguration.developmentKakaoKey)
            #expect(try await patient.addresses("상계동", 1).places.count == 1)
        }
    }

    @Test func refusedKey_isLoggedWithoutTheKey() async throws {
        try await PlaceWorld.sandbox { _, url in
            let log = RecordedLog()
            await withLogger(log.logger) { _ in
                let client = KakaoLocalClient(url: url, key: "secret-key")
                await #expect(throws: ProviderUnavailable.self) { try await client.keywords("상계동", 1) }
            }
            let errors = log.lines.filter { $0.level == .error }
            #expect(errors.map { $0.metadata["status"] } == ["401"])
            #expect(!log.lines.contains { "\($0)".contains("secret-key") })
        }
    }
}
