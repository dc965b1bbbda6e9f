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

    let homes: Homes
    let payslips: Payslips

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
        pay = PayBook(now: configuration.now)
        // Workplaces

        // Shifts

        homes = Homes(database: database, people: people, now: configuration.now)
        payslips = Payslips(database: database, people: people, access: access, pay: pay)

        routines = Routines(database: database, people: people, now: configuration.now)
        shiftRoutines = ShiftRoutines(database: database)
        alarms = Alarms(database: database, alerts: alerts, now: configuration.now)
    }
}
