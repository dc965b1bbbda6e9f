import Apps
import Contracts
import Events
import Hummingbird
import ServiceDatabase
import ServiceKit

/// The URL map of the workforce service.
struct Routes {
    let domain: WorkforceDomain
    let inbox: Inbox

    init(_ domain: WorkforceDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: ServiceRouter) {
        let repeatable = IdempotencyMiddleware<SignedInContext>(requests: domain.requests, account: \.account)
        let app = router.app(MOUP.self).add(middleware: repeatable)
        workplaces(app)
        shifts(app)
        pay(app)
        routines(app)
        inbox.add(to: router)
        let operators = OperatorRoutes(pay: domain.payLookup)
        router.on(.get, "internal/operators/workers", from: .console, use: operators.memberships)
        router.on(.get, "internal/operators/payslips", from: .console, use: operators.payslip)
    }

    /// Workplaces, invitations and workers.
    private func workplaces(_ app: AppRoutes<MOUP>) {
        let workplaces = WorkplaceRoutes(workplaces: domain.workplaces)
        app.on(\.createWorkplace, use: workplaces.create)
        app.on(\.listWorkplaces, use: workplaces.list)
        app.on(\.getWorkplace, use: workplaces.show)
        app.on(\.updateWorkplace, use: workplaces.edit)
        app.on(\.deleteWorkplace, use: workplaces.delete)

        let invitations = InvitationRoutes(invitations: domain.invitations)
        app.on(\.createInviteCode, use: invitations.issue)
        app.on(\.getWorkplaceByInviteCode, use: invitations.show)
        app.on(\.joinWorkplace, use: invitations.join)

        let staff = StaffRoutes(staff: domain.staff)
        app.on(\.listWorkers, use: staff.list)
        app.on(\.updateOwnMembership, use: staff.changeOwn)
        app.on(\.leaveWorkplace, use: staff.leave)
        app.on(\.updateWorker, use: staff.change)
        app.on(\.removeWorker, use: staff.remove)
        app.on(\.acceptWorker, use: staff.accept)
        app.on(\.rejectWorker, use: staff.reject)
    }

    /// Shifts, calendars and the time clock.
    private func shifts(_ app: AppRoutes<MOUP>) {
        let own = ShiftRoutes(shifts: domain.shifts)
        let owner = OwnerShiftRoutes(shifts: domain.shifts)
        let calendars = CalendarRoutes(calendars: domain.calendars)
        let attendance = AttendanceRoutes(clock: domain.clock, calendars: domain.calendars)
        app.on(\.getOwnMembership, use: attendance.own)
        app.on(\.getWorker, use: attendance.ofWorker)
        app.on(\.createShifts, use: own.add)
        app.on(\.listOwnShiftsAtWorkplace, use: calendars.ownAtWorkplace)
        app.on(\.clockIn, use: attendance.start)
        app.on(\.clockOut, use: attendance.end)
        app.on(\.listWorkplaceShifts, use: calendars.shared)
        app.on(\.createShiftsForWorkers, use: owner.add)
        app.on(\.updateWorkerShift, use: owner.edit)
        app.on(\.updateFollowingWorkerShifts, use: owner.editFollowing)
        app.on(\.listOwnShifts, use: calendars.own)
        app.on(\.getShift, use: calendars.show)
        app.on(\.updateShift, use: own.edit)
        app.on(\.updateFollowingShifts, use: own.editFollowing)
        app.on(\.deleteShift, use: own.remove)
        app.on(\.deleteFollowingShifts, use: own.removeFollowing)
    }

    /// Home screen and payslips.
    private func pay(_ app: AppRoutes<MOUP>) {
        app.on(\.getHome, use: HomeRoutes(homes: domain.homes).show)

        let payslips = PayslipRoutes(payslips: domain.payslips)
        app.on(\.listPayslips, use: payslips.list)
        app.on(\.getOwnPayslip, use: payslips.own)
        app.on(\.getWorkerPayslip, use: payslips.show)
    }

    /// Routines.
    private func routines(_ app: AppRoutes<MOUP>) {
        let routines = RoutineRoutes(routines: domain.routines, shifts: domain.shiftRoutines)
        app.on(\.listRoutines, use: routines.list)
        app.on(\.createRoutine, use: routines.create)
        app.on(\.listRoutinesToday, use: routines.today)
        app.on(\.getRoutine, use: routines.show)
        app.on(\.replaceRoutine, use: routines.replace)
        app.on(\.putRoutine, use: routines.put)
        app.on(\.deleteRoutine, use: routines.delete)
        app.on(\.listRoutinesOfShift, use: routines.ofShift)
        app.on(\.setTaskCompletion, use: routines.complete)
    }
}
