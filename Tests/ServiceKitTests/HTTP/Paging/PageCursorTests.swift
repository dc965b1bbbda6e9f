import FoundationEssentials
import ServiceKit
import Testing

@Suite struct PageCursorTests {
    @Test func cursorText_roundTrips() throws {
        let cursor = PageCursor(Date(timeIntervalSince1970: 1_763_600_000.123), 42)
        let again = try #require(PageCursor(cursor.text))
        #expect(again == cursor)
        #expect(abs(again.instant.timeIntervalSince1970 - 1_763_600_000.123) < 1e-6)
        #expect(PageCursor("0") == .end && PageCursor.end.text == "0")
    }

    @Test(arguments: [0, 7] as [Int64])
    func rankedCursor_roundTrips(rank: Int64) throws {
        let cursor = PageCursor(rank: rank, Date(timeIntervalSince1970: 12), 42)
        #expect(try #require(PageCursor(cursor.text)) == cursor)
        #expect(cursor != PageCursor(Date(timeIntervalSince1970: 12), 42))
    }

    @Test(arguments: [
        "", "-", "1", "1-", "-1", "1-2-3-4",
        "-1-2-3", "1-0-3", "1-2-0", "x y-1", "0-1", "1-0", "--1", "1--2", "zzzzzzzzzzzzzz-1", "a\u{0}-1",
        "1-zzzzzzzzzzzzzzzzz",
    ])
    func invalidCursor_isNil(text: String) {
        #expect(PageCursor(text) == nil)
    }

    @Test func lastPage_hasEndCursor() {
        let found = (1...3).map { (item: $0, cursor: PageCursor(Date(timeIntervalSince1970: 1), Int64($0))) }
        #expect(Page(found, limit: 3).next == .end)
        #expect(Page(found, limit: 2).items == [1, 2])
        #expect(Page(found, limit: 2).next == found[1].cursor)
        #expect(Page([(item: Int, cursor: PageCursor)](), limit: 2).next == .end)
    }
}
