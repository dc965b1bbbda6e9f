import Apps
import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing
import Values

@testable import Estate

extension EstateWorld {
    /// A client with the identity of another service.
    var process: ServiceClient { ServiceClient(client, to: .estate, process: .stack) }
    var payments: ServiceClient { ServiceClient(client, to: .estate, process: .payments) }

    func importAll(_ listings: [EstateAPI.NewListing], by creator: AccountID = 9) async throws -> TestResponse {
        let body = EstateAPI.Import(creator: Self.publicID(creator), listings: listings)
        let json = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        return try await process.send(.post, EstateAPI.Import.path, json: json)
    }

    /// Uploads pictures.
    ///
    /// - Returns: their paths.
    func upload(_ pictures: [UInt8]..., by account: AccountID = 9) async throws -> [String] {
        let form = pictures.reduce(MultipartForm()) { $0.file("files", $1) }
        let answer = try await client(account).send(.post, "/v1/estates/files", form: form)
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json([String: [String]].self)["files"] ?? []
    }

    /// Whether a picture is served.
    func serves(_ path: String) async throws -> Bool {
        try await ServiceClient(client, to: .estate, app: .anlaka).send(.get, "/v1\(path)").status == .ok
    }

    /// A listing as another service reads it.
    func view(_ ids: [String], viewer: AccountID? = nil) async throws -> [EstateAPI.Listing] {
        let answer = try await payments.send(.get, EstateAPI.Listings.path(ids.map { "\($0)" }, viewer: viewer))
        return try answer.json(EstateAPI.Listings.self).listings
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

extension ListingDraft {
    static func fixture(_ thumbnails: [String]) -> ListingDraft {
        ListingDraft(
            category: "원룸",
            title: "햇살이 드는 원룸",
            introduction: "",
            description: "",
            thumbnails: thumbnails,
            reservationPrice: 100_000,
            deposit: 10_000_000,
            monthlyRent: 550_000,
            maintenanceFee: 0,
            builtOn: CivilDate(dayNumber: 17_000),
            area: 24.5,
            parkingCount: 0,
            floors: 3,
            options: ListingOptions(),
            isSafe: true,
            isRecommended: false,
            place: Coordinate(latitude: 37.65, longitude: 127.04)
        )
    }
}

extension [UInt8] {
    /// The bytes as a stream of one chunk.
    var stream: AsyncStream<ByteBuffer> {
        AsyncStream { stream in
            stream.yield(ByteBuffer(bytes: self))
            stream.finish()
        }
    }
}
