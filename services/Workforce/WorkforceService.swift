import Logging
import ServiceHost

/// Workforce: who works where and when, and what that pays, for MOUP.
///
/// **Owns** workplaces and who works there, invite codes, wages, shifts and the clock, pay, and routines.
///
/// **Tables** (schema `workforce`): `people` (from auth); `workplaces`, `workers`, `wages`, `invite_codes`,
/// `failed_lookups`; `series`, `shifts`, `clockings`; `months` (what a month of somebody comes to); `routines`,
/// `routine_tasks`, `shift_routines`, `completions`; `alarm_marks`; inbox and outbox.
///
/// **Consumes** `auth.account-registered` and `auth.profile-changed` (names, pictures, roles) and
/// `auth.account-withdrawn`. **Publishes** `workforce.account-erased` and, for notifications,
/// `workforce.member-alerted`.
///
/// **Pay** is reckoned by `shared/Payroll`, which knows neither time nor tables, and kept: whoever changes a shift or a wage
/// locks the worker's row, and lets `PayBook` write what the weeks and months come to in the same transaction. Calendars,
/// homes and payslips read what is written. `StaleMonths` does the same at start for months that are not over yet, when the
/// rates have changed; months that are over keep the payslip that they had.
///
/// **Parting** is one rule (`Parting`) for whoever leaves, is removed, or loses the workplace: what was worked stays with
/// what it paid. Who leaves the app (`Withdrawal`) parts everywhere, and stays on owners' lists without a name.
///
/// **Alarms** (shifts, routines, pay days) follow from shifts and wages; nothing is scheduled. `Timers/` sends each when its time
/// comes, and remembers how far it has come.
///
/// Every URL is in `Routes/Routes.swift`; `WorkforceService+build.swift` puts the pieces together.
@main
struct WorkforceService {
    static func main() async {
        await ServiceHost.run(
            "workforce",
            read: { try WorkforceConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildWorkforce($0, logger: $1) }
        )
    }
}
