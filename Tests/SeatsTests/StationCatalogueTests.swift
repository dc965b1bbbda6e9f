import Subway
import Testing

@testable import Seats

@Suite struct StationCatalogueTests {
    private let catalogue: StationCatalogue

    init() throws { catalogue = StationCatalogue(try StationData.stations()) }

    @Test func search_matchesPartOfName() {
        let found = catalogue.search(keyword: "강남", line: nil, order: .up)
        #expect(Set(found.map(\.name)) == ["강남", "강남구청"])
        #expect(catalogue.search(keyword: "강남", line: .line2, order: .up).map(\.name) == ["강남"])
    }

    @Test func search_isSortedByDistance() {
        let up = catalogue.search(keyword: nil, line: .line7, order: .up)
        #expect(up.first?.name == "장암")
        #expect(up.last?.name == "온수")
        #expect(catalogue.search(keyword: nil, line: .line7, order: .down) == up.reversed())
    }

    @Test(arguments: ["없는역", "%", "_", "' OR '1'='1", "강남역입니다"])
    func search_withoutMatch_isEmpty(keyword: String) {
        #expect(catalogue.search(keyword: keyword, line: nil, order: .up).isEmpty)
    }

    @Test func search_onLineWithoutData_isEmpty() {
        #expect(catalogue.search(keyword: nil, line: .line9, order: .up).isEmpty)
    }
}
