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

@testable import Chat

@Suite struct APIDocumentTests {
    @Test func document_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(url: "postgres://chat@127.0.0.1/madang", applicationName: "test")
        let database = PostgresClient(configuration, logger: .quiet)
        let auth = InternalClient(to: "auth", at: ["http://127.0.0.1:9"], from: "chat", secret: .development)
        let settings = ChatConfiguration(database: configuration)
        let domain = ChatDomain(
            settings,
            database: database,
            outbox: Outbox(subscribers: []),
            people: People(database: database) { _ in nil }
        )
        let live = Live(domain, database: database, auth: auth, community: auth, settings, logger: .quiet)
        let inbox = Inbox(database: database, subscriptions: [])
        Routes(domain, live: live, inbox: inbox).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .chat) == [])
    }
}
