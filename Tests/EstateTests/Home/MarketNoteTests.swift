import Testing

@testable import Estate

@Suite struct MarketNoteTests {
    @Test func notes_showAllFigures() {
        let figures = MarketFigures(
            newListings: 1234,
            rent: .init(category: "원룸", listings: 100, average: 1_234_567),
            region: .init(name: "월계동", likes: 12)
        )
        #expect(
            MarketNote.notes(on: figures) == [
                MarketNote(
                    kind: .likedRegion,
                    title: "요즘 가장 사랑받는 동네, 월계동",
                    content: "지난 30일 동안 월계동 매물이 좋아요 12개를 받았어요."
                ),
                MarketNote(
                    kind: .averageRent,
                    title: "원룸 평균 월세 1,234,567원",
                    content: "월세 매물이 가장 많은 원룸, 지금 나와 있는 100건의 평균이에요."
                ),
                MarketNote(
                    kind: .newListings,
                    title: "새로 나온 매물 1,234건",
                    content: "어제부터 새로 등록된 매물 1,234건을 지도에서 만나 보세요."
                ),
            ]
        )
    }

    @Test func notes_withoutFigures_areOmitted() {
        #expect(MarketNote.notes(on: MarketFigures(newListings: 0)) == [])
        #expect(MarketNote.notes(on: MarketFigures(newListings: 1)).map(\.kind) == [.newListings])
    }
}
