import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the workforce service.
struct Routes {
    let domain: WorkforceDomain
    let inbox: Inbox

    init(_ domain: WorkforceDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        let app = router.app(.moup).signedIn
        workplaces(app)
        shifts(app)
        pay(app)
        routines(app)
        inbox.add(to: router)
    }

    /// Where people work, and who they are.
    private func workplaces(_ app: RouterGroup<SignedInContext>) {
        let workplaces = WorkplaceRoutes(workplaces: domain.workplaces)
        app.post("workplaces", use: workplaces.create)
        app.get("workplaces", use: workplaces.list)
        app.get("workplaces/:workplaceId", use: workplaces.show)
        app.patch("workplaces/:workplaceId", use: workplaces.edit)
        app.delete("workplaces/:workplaceId", use: workplaces.delete)

        let invitations = InvitationRoutes(invitations: domain.invitations)
        app.put("workplaces/:workplaceId/invite-code", use: invitations.issue)
        app.get("workplaces/invite-codes/:inviteCode", use: invitations.show)
        app.post("workplaces/join", use: invitations.join)

        let staff = StaffRoutes(staff: domain.staff)
        app.get("workplaces/:workplaceId/workers", use: staff.list)
        app.patch("workplaces/:workplaceId/workers/me", use: staff.changeOwn)
        app.delete("workplaces/:workplaceId/workers/me", use: staff.leave)
        app.patch("workplaces/:workplaceId/workers/:workerId", use: staff.change)
        app.delete("workplaces/:workplaceId/workers/:workerId", use: staff.remove)
        app.patch("workplaces/:workplaceId/workers/:workerId/accept", use: staff.accept)
        app.delete("workplaces/:workplaceId/workers/:workerId/accept", use: staff.reject)
    }

    /// Who works when, and the clock.
    private func shifts(_ app: RouterGroup<SignedInContext>) {
        let own = ShiftRoutes(shifts: domain.shifts)
        let owner = OwnerShiftRoutes(shifts: domain.shifts)
        let calendars = CalendarRoutes(calendars: domain.calendars)
        let attendance = AttendanceRoutes(clock: domain.clock, calendars: domain.calendars)
        let workplace = app.group("workplaces/:workplaceId")
        workplace.get("workers/me", use: attendance.own)
        workplace.get("workers/:workerId", use: attendance.ofWorker)
        workplace.post("workers/me/works", use: own.add)
        workplace.get("workers/me/works", use: calendars.ownAtWorkplace)
        workplace.post("workers/me/works/start", use: attendance.start)
        workplace.patch("workers/me/works/end", use: attendance.end)
        workplace.get("works", use: calendars.shared)
        workplace.post("works/batch", use: owner.add)
        workplace.patch("workers/:workerId/works/:workId", use: owner.edit)
        workplace.patch("workers/:workerId/works/recurring/:workId", use: owner.editFollowing)
        app.get("works", use: calendars.own)
        app.get("works/:workId", use: calendars.show)
        app.patch("works/:workId", use: own.edit)
        app.patch("works/recurring/:workId", use: own.editFollowing)
        app.delete("works/:workId", use: own.remove)
        app.delete("works/recurring/:workId", use: own.removeFollowing)
    }

    /// What that pays.
    private func pay(_ app: RouterGroup<SignedInContext>) {
        app.get("home", use: HomeRoutes(homes: domain.homes).show)

        let payslips = PayslipRoutes(payslips: domain.payslips)
        app.get("payslips", use: payslips.list)
        app.get("workplaces/:workplaceId/workers/me/payslips/:month", use: payslips.own)
        app.get("workplaces/:workplaceId/workers/:workerId/payslips/:month", use: payslips.show)
    }

    /// Check lists.
    private func routines(_ app: RouterGroup<SignedInContext>) {
        let routines = RoutineRoutes(routines: domain.routines, shifts: domain.shiftRoutines)
        app.get("routines", use: routines.list)
        app.post("routines", use: routines.create)
        app.get("routines/today", use: routines.today)
        app.get("routines/:routineId", use: routines.show)
        app.patch("routines/:routineId", use: routines.replace)
        app.put("routines/:routineId", use: routines.put)
        app.delete("routines/:routineId", use: routines.delete)
        app.get("routines/works/:workId/routines", use: routines.ofShift)
        app.put("routines/works/:workId/tasks/:taskId/completion", use: routines.complete)
    }
}
