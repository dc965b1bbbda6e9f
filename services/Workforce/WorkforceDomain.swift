import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceDatabase

/// The use cases of the service.
struct WorkforceDomain: Sendable {
    let people: People
    let access: Access
    let pay: PayrollProjection
    let wages: Wages
    let workplaces: Workplaces
    let invitations: Invitations
    let staff: Staff
    let withdrawal: Withdrawal

    let shifts: Shifts
    let calendars: Calendars
    let clock: TimeClock

    let homes: Homes
    let payslips: Payslips
    let payLookup: PayLookup

    let routines: Routines
    let shiftRoutines: ShiftRoutines
    let alarms: Reminders

    let requests: IdempotencyKeys
    let retention: Retention

    init(
        _ configuration: WorkforceConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        ask: @escaping @Sendable (AccountID) async throws -> Person?
    ) {
        let alerts = Alerts(outbox: outbox)
        people = People(database: database, ask: ask)
        access = Access(people: people)
        pay = PayrollProjection(now: configuration.now)
        wages = Wages(pay: pay, now: configuration.now)
        let parting = Offboarding(pay: pay, alerts: alerts, now: configuration.now)
        workplaces = Workplaces(
            database: database,
            access: access,
            wages: wages,
            parting: parting,
            now: configuration.now
        )
        invitations = Invitations(
            database: database,
            access: access,
            wages: wages,
            alerts: alerts,
            now: configuration.now
        )
        staff = Staff(database: database, access: access, wages: wages, parting: parting, alerts: alerts)
        withdrawal = Withdrawal(parting: parting, outbox: outbox, now: configuration.now)

        shifts = Shifts(database: database, access: access, pay: pay, alerts: alerts)
        calendars = Calendars(database: database, access: access)
        clock = TimeClock(database: database, access: access, pay: pay, now: configuration.now)

        homes = Homes(database: database, people: people, now: configuration.now)
        payslips = Payslips(database: database, people: people, access: access, pay: pay)
        payLookup = PayLookup(database: database, payslips: payslips)

        routines = Routines(database: database, people: people, now: configuration.now)
        shiftRoutines = ShiftRoutines(database: database)
        alarms = Reminders(database: database, alerts: alerts, now: configuration.now)

        requests = IdempotencyKeys(database: database, now: configuration.now)
        retention = Retention(database: database, now: configuration.now)
    }
}
