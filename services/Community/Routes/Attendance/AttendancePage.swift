import Authentication
import Hummingbird
import NIOCore

/// The page of the attendance event as a browser gets it. It runs nothing but its own script, calls nobody but its own house,
/// is shown in no frame, and is kept nowhere.
struct AttendancePage {
    let page: Attendance.Page
    private static let template = String(decoding: PackageResources.attendance_html, as: UTF8.self)

    init(_ page: Attendance.Page) {
        self.page = page
    }

    var response: Response {
        // What the policy below lets run.
        let nonce = Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        headers[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
            base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            """
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text(nonce: nonce)))
        )
    }

    /// None of the values has a character that HTML would read as its own.
    private func text(nonce: String) -> String {
        Self.template
            .replacing("{{nonce}}", with: nonce)
            .replacing("{{token}}", with: page.token)
            .replacing("{{days}}", with: "\(page.record.days)")
            .replacing("{{today}}", with: page.record.isToday ? "true" : "false")
    }
}
