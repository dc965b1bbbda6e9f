import Contracts
import Testing
import Values

@testable import Community

@Suite struct CulturalEventTests {
    @Test func id_dependsOnIdentifyingFieldsOnly() {
        let event = CulturalEvent.fixture("전시")
        #expect(event.id == CulturalEvent.fixture("전시", [.fee: "1,000원", .image: ""]).id)
        for field in [CulturalEvent.Field.title, .category, .place, .start, .end] {
            #expect(event.id != CulturalEvent.fixture("전시", [field: "다른"]).id, "\(field)")
        }
        // The boundary between two fields matters.
        #expect(CulturalEvent.fixture("a", [.category: "bc"]).id != CulturalEvent.fixture("ab", [.category: "c"]).id)
        #expect(PublicID(rawValue: event.id.rawValue) == event.id)
    }

    @Test func days_areParsed() {
        #expect(CulturalEvent.fixture("").startsOn?.description == "2025-11-01")
        #expect(CulturalEvent.fixture("").endsOn?.description == "2025-11-30")
        let dates = CulturalEvent.fixture("", [.start: "", .end: "?", .date: "2025-12-24~2025-12-25"])
        #expect(dates.startsOn?.description == "2025-12-24" && dates.endsOn == dates.startsOn)
        let backwards = CulturalEvent.fixture("", [.end: "2024-01-01 00:00:00.0"])
        #expect(backwards.endsOn == backwards.startsOn)
        #expect(CulturalEvent.fixture("", [.start: "", .date: "곧"]).startsOn == nil)
    }

    @Test func place_withSwappedCoordinates_isParsed() {
        let place = Coordinate(latitude: 37.5759, longitude: 126.9769)
        #expect(CulturalEvent.fixture("").place == place)
        #expect(CulturalEvent.fixture("", [.latitude: "126.9769", .longitude: "37.5759"]).place == place)
        for (latitude, longitude) in [("", ""), ("0", "0"), ("37.5", "x"), ("nan", "126.9"), ("37.5", "37.5")] {
            let event = CulturalEvent.fixture("", [.latitude: latitude, .longitude: longitude])
            #expect(event.place == nil, "\(latitude)")
            #expect(event.appRow["LOT"] == "" && event.appRow["LAT"] == "")
        }
    }

    @Test func appRow_hasTheClientsFields() {
        let row = CulturalEvent.fixture("전시").appRow
        #expect(Set(row.keys) == Set(CulturalEvent.Field.allCases.map(\.rawValue)) && row.count == 24)
        #expect(row["LOT"] == "37.5759" && row["LAT"] == "126.9769")
        #expect(row["ORG_LINK"] == "https://example.org/a?b=1&c=2" && row["MAIN_IMG"] == "https://example.org/a.jpg")
        #expect(row["HMPG_ADDR"] == "https://example.org/home" && row["PLAYER"] == "")
    }

    @Test func favouriteContent_hasFourteenParts() throws {
        let event = CulturalEvent.fixture("값 $$$ 값", [.fee: "1$", .audience: "$5 이상"])
        let parts = event.favouriteContent.split(separator: "$$$", omittingEmptySubsequences: false)
        #expect(
            parts == [
                "https://example.org/a.jpg", "값 ＄＄＄ 값", "전시/미술", "2025-11-01 00:00:00.0", "2025-11-30 00:00:00.0",
                "시립미술관", "서울특별시", "종로구", "37.5759", "126.9769", "1＄", "무료", "$5 이상",
                "https://example.org/a?b=1&c=2",
            ]
        )
        let plain = CulturalEvent.fixture("전시")
        let kept = try #require(CulturalEvent(favouriteContent: plain.favouriteContent))
        #expect(kept.id == plain.id && kept.place == plain.place && kept.isFree)
        #expect(CulturalEvent(favouriteContent: parts.dropLast().joined(separator: "$$$")) == nil)
    }

    @Test func unstorableCharactersAndFields_areDropped() {
        let event = CulturalEvent(["TITLE": "가\0나", "OTHER": "x"])
        #expect(event[.title] == "가나" && event.fields["OTHER"] == nil && event.fields.count == 24)
    }
}
