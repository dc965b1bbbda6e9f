import Logging
import ServiceKit

/// Workforce: workplaces, shifts, attendance and payroll, for MOUP.
///
/// **Owns** workplaces and their workers, invite codes, wages, shifts and the time clock, pay, and routines.
///
/// **Tables** (schema `workforce`): `people` (from auth); `workplaces`, `workers`, `wages`, `invite_codes`,
/// `failed_lookups`; `series`, `shifts`, `clockings`; `months` (a worker's pay of a month); `routines`,
/// `routine_tasks`, `shift_routines`, `completions`; `alarm_marks`; `requests` (idempotency
/// keys); inbox and outbox. A comment on each table says what bounds it (`Domain/Retention.swift`).
///
/// **Consumes** `auth.account-registered` and `auth.profile-changed` (names, pictures, roles) and
/// `auth.account-withdrawn`. **Publishes** `workforce.account-erased` and, for notifications,
/// `workforce.member-alerted`.
///
/// **Pay** is calculated by `Payroll`, which has neither a clock nor a database, and is stored. A change of a
/// shift or a wage locks the worker's row, and `PayrollProjection` writes the pay of the affected weeks and months in
/// the same transaction. Calendars, homes and payslips read the stored pay. After a change of the rates,
/// `PayrollRecalculation` recalculates the present and later months; past months keep their payslips.
///
/// **Offboarding** follows one rule (`Offboarding`) for a worker who leaves, is removed, or whose workplace is deleted:
/// past shifts are kept with their pay. A deleted workplace is hidden at once, and `Jobs/` ends its memberships in pages.
/// A withdrawn account (`Withdrawal`) leaves all workplaces, and stays in owners'
/// lists without a name.
///
/// **Reminders** (shifts, routines, pay days) are derived from shifts and wages; none is stored. `Jobs/` sends the
/// due ones and stores the time up to which they are sent.
///
/// **Operators** see memberships and payslips on pages of the console (`Domain/Operators/PayLookup.swift`).
///
/// Every URL is in `Routes/Routes.swift`; `WorkforceService+build.swift` assembles the service.
@main
struct WorkforceService {
    static func main() async {
        await ServiceHost.run(
            "workforce",
            "workplaces, shifts, attendance and payroll of MOUP",
            read: { try WorkforceConfiguration(&$0) },
            build: { try buildWorkforce($0, logger: $1) }
        )
    }
}
