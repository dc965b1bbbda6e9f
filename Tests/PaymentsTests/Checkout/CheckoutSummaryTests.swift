import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Payments

@Suite struct CheckoutSummaryTests {
    @Test(arguments: [
        (Int64(0), "0원"), (7, "7원"), (999, "999원"), (1000, "1,000원"), (99_999, "99,999원"), (1_234_567, "1,234,567원"),
        (100_000_000_000, "100,000,000,000원"), (-1234, "-1,234원"), (.min, "-9,223,372,036,854,775,808원"),
    ])
    func wonAmount_isGroupedByThousands(_ amount: Int64, _ text: String) {
        #expect(CheckoutSummary.won(amount) == text)
    }

    private func facts(deposit: Int64, rent: Int64, area: Double, floors: Int, category: String = "원룸") -> [String] {
        let listing = EstateAPI.Listing(
            id: PublicID.random(),
            category: category,
            title: "제목",
            introduction: "",
            thumbnails: [],
            reservationPrice: 1000,
            deposit: deposit,
            monthlyRent: rent,
            builtYear: "2018-05-01",
            area: area,
            floors: floors,
            latitude: 37,
            longitude: 127,
            creator: EstateAPI.Creator(account: 9, publicID: PublicID.random()),
            isReserved: false,
            createdAt: .now,
            updatedAt: .now
        )
        let order = Order(
            id: 1,
            app: .anlaka,
            code: "ABCD123456",
            account: 1,
            subject: listing.id,
            name: listing.title,
            amount: 1000,
            listing: listing,
            heldUntil: .now,
            createdAt: .now,
            updatedAt: .now
        )
        return CheckoutSummary(order).facts
    }

    @Test func listingFacts_omitMissingValues() {
        #expect(
            facts(deposit: 10_000_000, rent: 550_000, area: 24.46, floors: 3)
                == ["원룸", "보증금 10,000,000원", "월세 550,000원", "24.5㎡", "3층"]
        )
        #expect(facts(deposit: 0, rent: 0, area: 20, floors: -1) == ["원룸", "20㎡", "지하 1층"])
        #expect(facts(deposit: 0, rent: 0, area: 0, floors: 0, category: "") == [])
        #expect(facts(deposit: 0, rent: 0, area: 1e300, floors: 1).count == 3)
    }
}
