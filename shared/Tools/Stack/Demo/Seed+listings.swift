import AppClients
import Apps
import Contracts
import FoundationEssentials
import NIOHTTP1
import StackKit

/// The listings of Anlaka's agencies.
extension Seed {
    private static let agencies = [
        account("agency-1", nick: "한강중개"), account("agency-2", nick: "남산중개"), account("agency-3", nick: "북악중개"),
        account("agency-4", nick: "관악중개"),
    ]

    /// Creates the missing listings.
    ///
    /// - Parameter report: Receives progress messages.
    /// - Returns: The number of created listings.
    func plantListings(_ report: (String) -> Void) async throws -> Int {
        let share = SeedListings.count / Self.agencies.count
        var planted = 0
        for (index, agency) in Self.agencies.enumerated() {
            let client = anlaka
            try await Self.join(agency, on: client)
            try await client.signIn(agency)
            if index == 0, try await Self.listings(client) >= SeedListings.count { return 0 }
            var pictures: [String] = []
            for start in stride(from: 0, to: SeedPicture.variants, by: 4) {
                pictures += try await client.send(\.uploadEstatePictures, body: Self.form(start..<start + 4)).files()
            }
            let first = index * share
            for start in stride(from: first, to: first + share, by: EstateAPI.Import.limit) {
                planted += try await plant(start..<start + EstateAPI.Import.limit, of: client.id, pictures: pictures)
                let done = start + EstateAPI.Import.limit
                if done.isMultiple(of: share) { report("\(done) of \(SeedListings.count) listings") }
            }
        }
        return planted
    }

    /// The number of listings on the map of Seoul.
    private static func listings(_ client: AnlakaClient) async throws -> Int {
        let map = try await client.send(\.listClusters, query: "zoom=8&bbox=126.7,37.4,127.3,37.75").json()
        let lone = map["estates"]?.elements.count ?? 0
        return try (map["clusters"]?.elements ?? []).reduce(lone) { $0 + Int(try $1.number("count")) }
    }

    /// - Returns: The number of new listings.
    private func plant(_ numbers: Range<Int>, of creator: String, pictures: [String]) async throws -> Int {
        let listings = numbers.map { SeedListings.listing($0, pictures: pictures) }
        let body = try JSONEncoder().encode(EstateAPI.Import(creator: creator, listings: listings))
        // The service receives the event of a new account with a delay.
        for _ in 0..<100 {
            let answer = try await calls.post(.estate, EstateAPI.Import.path, [UInt8](body))
            if answer.status == .ok {
                return try JSONDecoder().decode(EstateAPI.Imported.self, from: Data(answer.text.utf8)).created
            }
            guard answer.status == .notFound else { throw StackError("listings cannot be planted: \(answer.text)") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw StackError("listings cannot be planted: estate does not know the agency")
    }
}
