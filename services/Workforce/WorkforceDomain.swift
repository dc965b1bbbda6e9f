import FoundationEssentials
import Outbox
import Postgres

/// The use cases of the service, put together.
struct WorkforceDomain: Sendable {
    let people: People
    let access: Access
    let pay: PayBook
    // Workplaces

    // Shifts

    // Pay

    let routines: Routines
    let shiftRoutines: ShiftRoutines
    let alarms: Alarms

    init(
        _ configuration: WorkforceConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        ask: @escaping @Sendable (Int64) async throws -> Person?
    ) {
        let alerts = Alerts(outbox: outbox)
        people = People(database: database, ask: ask)
        access = Access(people: people)
        pay = PayBook()
        // Workplaces

        // Shifts

        // Pay

        routines = Routines(database: database, people: people, now: configuration.now)
        shiftRoutines = ShiftRoutines(database: database)
        alarms = Alarms(database: database, alerts: alerts, now: configuration.now)
    }
}
