import Contracts
import Events
import Hummingbird
import Logging
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Seats

@Suite struct APIDocumentTests {
    @Test func apiDocument_matchesRoutes() throws {
        let router = Router(context: AppRequestContext.self)
        let configuration = try PostgresConfiguration(url: "postgres://seats@127.0.0.1/madang", applicationName: "test")
        let database = PostgresClient(configuration, logger: .quiet)
        let inbox = Inbox(database: database, subscriptions: [])
        let seats = SeatsConfiguration(database: configuration)
        let domain = SeatsDomain(seats, database: database, stations: [], logger: .quiet)
        Routes(domain, database: database, inbox: inbox).add(to: router.group(""))
        #expect(try APIDocument(PackageResources.openapi_json).differences(from: router, of: .seats) == [])
    }
}
