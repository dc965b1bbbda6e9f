import Contracts
import TestKit
import Testing

@testable import Auth

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .auth) { parts in
            let domain = AuthDomain(
                AuthConfiguration(database: parts.configuration),
                database: parts.database,
                outbox: parts.outbox,
                seats: parts.other,
                community: parts.other,
                logger: .quiet
            )
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
