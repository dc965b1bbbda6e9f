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
    private func workplaces(_ app: RouterGroup<SignedInContext>) {}

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
    private func pay(_ app: RouterGroup<SignedInContext>) {}

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
