import Hummingbird
import ServiceHost

extension Routes {
    /// Anlaka's attendance event (contract 4.9). The page calls without a key and, as far as the gateway looks, as nobody.
    func attendance(_ open: RouterGroup<AppRequestContext>) {
        let attendance = AttendanceRoutes(attendance: domain.attendance)
        open.signedIn.get("event-application", use: attendance.page)
        open.post("event-application/attendance", use: attendance.attend)
    }
}
