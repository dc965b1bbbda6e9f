import Hummingbird
import ServiceKit

/// The page of the attendance event. Its policy allows only its own script and requests to its own origin, and forbids
/// framing; the response is not cached.
struct AttendancePage {
    let page: Attendance.Page
    private static let template = String(decoding: PackageResources.attendance_html, as: UTF8.self)

    init(_ page: Attendance.Page) {
        self.page = page
    }

    var response: Response {
        let text = WebPage(
            Self.template,
            [
                "token": page.token, "days": "\(page.record.days)", "today": page.record.isToday ? "true" : "false",
            ]
        )
        return text.response(
            policy: """
                default-src 'none'; script-src 'nonce-\(text.nonce)'; style-src 'nonce-\(text.nonce)'; \
                connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """
        )
    }
}
