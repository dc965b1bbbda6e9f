import AsyncHTTPClient
import Contracts
import Profiles
import TestKit
import Testing

@testable import Notifications

@Suite struct APIDocumentTests {
    @Test func document_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .notifications) { parts in
            let domain = NotificationsDomain(
                NotificationsConfiguration(database: parts.configuration),
                database: parts.database,
                outbox: parts.outbox,
                people: People(database: parts.database) { _ in nil },
                auth: parts.other,
                http: .shared,
                logger: .quiet
            )
            return Routes(domain, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
