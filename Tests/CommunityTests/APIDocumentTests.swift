import Contracts
import Profiles
import TestKit
import Testing

@testable import Community

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .community) { parts in
            let domain = CommunityDomain(
                CommunityConfiguration(database: parts.configuration),
                database: parts.database,
                outbox: parts.outbox,
                people: People(database: parts.database) { _ in nil },
                auth: parts.other
            )
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
