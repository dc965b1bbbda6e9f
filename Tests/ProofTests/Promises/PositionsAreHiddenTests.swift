import Contracts
import Proof
import Testing
import Values

struct PositionsAreHiddenTests {
    private let exact = Coordinate(latitude: 37.5, longitude: 127)
    private let creator = AccountID(rawValue: 1)

    private var listings: [ListingPosition] {
        [
            ListingPosition("a", of: creator, exact: exact, knownTo: [AccountID(rawValue: 5)]),
            ListingPosition("b", of: creator, exact: exact),
        ]
    }

    private func shown(_ listing: String, to viewer: Int64, _ metres: Double, _ bearing: Double = 90, at: Double = 1)
        -> ShownPosition
    {
        ShownPosition(
            listing,
            to: AccountID(rawValue: viewer),
            phone: "phone \(viewer)",
            shown: exact.moved(metres, bearing: bearing).rounded,
            screen: "the map",
            at: .seconds(at)
        )
    }

    @Test func movedPositions_areKept() {
        let finding = PositionsAreHidden.check(
            [
                shown("a", to: 1, 0), shown("a", to: 5, 0), shown("a", to: 2, 50), shown("a", to: 3, 50),
                shown("b", to: 2, 50),
            ],
            of: listings
        )
        #expect(finding.sentences == [])
        #expect(finding.checked == 5)
    }

    @Test(arguments: [(0.0, "0.0"), (29.0, "29.0"), (81.0, "81.0")])
    func exactOrFarPosition_isFound(metres: Double, text: String) {
        let finding = PositionsAreHidden.check([shown("a", to: 2, metres)], of: listings)
        #expect(finding.sentences == ["phone 2 was shown listing a \(text) m from its exact position."])
        #expect(finding.violations.first?.story.first?.what.hasSuffix("on the map") == true)
    }

    @Test func changingPosition_isFound() {
        let finding = PositionsAreHidden.check(
            [shown("a", to: 2, 50), shown("a", to: 3, 50, 180, at: 2), shown("a", to: 4, 50, 270, at: 3)],
            of: listings
        )
        #expect(finding.sentences == ["Listing a was shown at two places, to phone 2 and phone 3."])
    }

    @Test func listingsOfOnePlace_areShownAtOne() {
        let finding = PositionsAreHidden.check([shown("a", to: 2, 50), shown("b", to: 3, 50, 0, at: 2)], of: listings)
        #expect(finding.sentences == ["Listings a and b of one creator are at one place, and shown at two."])
    }
}
