import Contracts
import TestKit
import Testing

@testable import Seats

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .seats) { parts in
            let configuration = SeatsConfiguration(database: parts.configuration)
            let domain = SeatsDomain(configuration, database: parts.database, stations: [], logger: .quiet)
            return Routes(domain, database: parts.database, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
