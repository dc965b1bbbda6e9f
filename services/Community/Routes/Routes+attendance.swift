import Apps
import Hummingbird
import ServiceKit

extension Routes {
    /// Anlaka's attendance event (contract 4.9). The page sends no app key.
    func attendance(_ app: AppRoutes<Anlaka>) {
        let attendance = AttendanceRoutes(attendance: domain.attendance)
        app.on(\.getAttendancePage, use: attendance.page)
        app.on(\.recordAttendance, use: attendance.attend)
    }
}
