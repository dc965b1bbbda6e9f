import Contracts
import TestKit
import Testing

@testable import Workforce

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .workforce) { parts in
            let configuration = WorkforceConfiguration(database: parts.configuration)
            let domain = WorkforceDomain(configuration, database: parts.database, outbox: parts.outbox) { _ in nil }
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
