import Contracts
import Postgres
import ServiceDatabase
import ServiceKit

/// The parts of the console.
struct ConsoleDomain: Sendable {
    let kept = KeptTraces()
    let traces: TraceStore
    let calls: CallStore
    let statements: StatementStore
    let operators: OperatorStore
    let updates: PageUpdates
    let retention: Retention
    let services: Services
    let events: Outboxes
    let people: PeopleFinder
    let live: LiveReader
    let money: MoneyReader
    let pay: PayReader
    let report: DatabaseReport
    let sandbox: SandboxControls?
    let apiCalls: APICalls?

    init(_ configuration: ConsoleConfiguration, database: PostgresClient) {
        traces = TraceStore(database: database)
        calls = CallStore(database: database)
        statements = StatementStore(database: database)
        operators = OperatorStore(database: database)
        updates = PageUpdates(operators: operators, pause: configuration.updatePause)
        retention = Retention(database: database, space: configuration.space)
        services = Services(
            clients: Dictionary(
                uniqueKeysWithValues: configuration.serviceURLs.map { service, urls in
                    (service, InternalClient(to: service, at: urls, from: configuration.host))
                }
            )
        )
        events = Outboxes(services: services)
        people = PeopleFinder(auth: services[.auth])
        report = DatabaseReport(of: database)
        apiCalls = configuration.gatewayURL.map { APICalls(gateway: $0) }
        sandbox = configuration.sandboxURL.map { SandboxControls(url: $0) }
        live = LiveReader(clients: services.clients)
        money = MoneyReader(client: services[.payments])
        pay = PayReader(client: services[.workforce])
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
