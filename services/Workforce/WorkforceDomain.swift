import FoundationEssentials
import Outbox
import Postgres

/// The use cases of the service, put together.
struct WorkforceDomain: Sendable {
    let people: People
    let access: Access
    let pay: PayBook
    // Workplaces

    let shifts: Shifts
    let calendars: Calendars
    let clock: TimeClock

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

        shifts = Shifts(database: database, access: access, pay: pay, alerts: alerts)
        calendars = Calendars(database: database, access: access)
        clock = TimeClock(database: database, access: access, pay: pay, now: configuration.now)

        // Pay

        routines = Routines(database: database, people: people, now: configuration.now)
        shiftRoutines = ShiftRoutines(database: database)
        alarms = Alarms(database: database, alerts: alerts, now: configuration.now)
    }
}
