import Contracts
import Profiles
import TestKit
import Testing

@testable import Estate

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .estate) { parts in
            let domain = EstateDomain(
                EstateConfiguration(database: parts.configuration),
                database: parts.database,
                outbox: parts.outbox,
                people: People(database: parts.database) { _ in nil },
                community: parts.other
            )
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
