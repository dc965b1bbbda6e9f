import Contracts
import Postgres
import ServiceKit

/// The parts of the console.
struct ConsoleDomain: Sendable {
    let kept = KeptTraces()
    let traces: TraceStore
    let calls: CallStore
    let operators: OperatorStore
    let retention: Retention
    let events: Outboxes
    let people: PeopleFinder

    init(_ configuration: ConsoleConfiguration, database: PostgresClient) {
        traces = TraceStore(database: database)
        calls = CallStore(database: database)
        operators = OperatorStore(database: database)
        retention = Retention(database: database, space: configuration.space)
        let clients = Dictionary(
            uniqueKeysWithValues: configuration.serviceURLs.map { service, urls in
                (service, InternalClient(to: service, at: urls, from: configuration.host))
            }
        )
        events = Outboxes(clients: clients)
        people = PeopleFinder(auth: clients[.auth])
    }

    var jobs: [PeriodicJob] {
        [
            PeriodicJob("retention", every: .seconds(60)) {
                try await retention.run()
                return false
            }
        ]
    }
}
