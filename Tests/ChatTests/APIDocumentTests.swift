import Contracts
import Profiles
import TestKit
import Testing

@testable import Chat

@Suite struct APIDocumentTests {
    @Test func document_matchesRoutes() throws {
        let differences = try APIDocument.differences(PackageResources.openapi_json, of: .chat) { parts in
            let settings = ChatConfiguration(database: parts.configuration)
            let people = People(database: parts.database) { _ in nil }
            let domain = ChatDomain(settings, database: parts.database, outbox: parts.outbox, people: people)
            let live = Live(
                domain,
                database: parts.database,
                auth: parts.other,
                community: parts.other,
                settings,
                logger: .quiet
            )
            return Routes(domain, live: live, inbox: parts.inbox).add
        }
        #expect(differences == [])
    }
}
