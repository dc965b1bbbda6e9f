import Authentication
import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing

@testable import Community

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(
            url: "postgres://community@127.0.0.1/madang",
            applicationName: "test"
        )
        let database = PostgresClient(configuration, logger: .quiet)
        let domain = CommunityDomain(
            CommunityConfiguration(database: configuration),
            database: database,
            outbox: Outbox(subscribers: []),
            people: People(database: database) { _ in nil },
            auth: InternalClient(to: "auth", at: ["http://127.0.0.1:9"], from: "community", secret: .development)
        )
        Routes(domain, inbox: Inbox(database: database, subscriptions: [])).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .community) == [])
    }
}
