import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestSupport

@testable import Estate

extension EstateWorld {
    /// Another process of ours.
    var process: Phone { Phone(client, process: "stack") }

    func importAll(_ listings: [EstateAPI.NewListing], by creator: Int64 = 9) async throws -> TestResponse {
        let body = EstateAPI.Import(creator: Self.publicID(creator), listings: listings)
        let json = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        return try await process.send(.post, EstateAPI.Import.path, json: json)
    }

    func listingCount() async throws -> Int {
        try await database.one("SELECT count(*) FROM listings") { try $0.decode(Int.self) }
    }
}

extension EstateAPI.NewListing {
    static func fixture(_ reference: String, _ change: (inout Self) -> Void = { _ in }) -> Self {
        var listing = Self(
            reference: reference,
            category: "원룸",
            title: "햇살이 드는 원룸",
            introduction: "역에서 5분",
            description: "남향, 조용한 골목",
            reservationPrice: 100_000,
            deposit: 10_000_000,
            monthlyRent: 550_000,
            maintenanceFee: 70_000,
            builtYear: "2018-05-01",
            area: 24.5,
            parkingCount: 1,
            floors: -1,
            options: EstateAPI.Options([.sink, .airConditioner], description: "새것"),
            isSafe: true,
            isRecommended: false,
            latitude: 37.652258,
            longitude: 127.045432
        )
        change(&listing)
        return listing
    }
}
