import Apps
import Authentication
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceKit

/// The page of Anlaka's attendance event, and its request (Anlaka contract 2.3, calls 26 and 27; 4.9).
struct AttendanceRoutes {
    let attendance: Attendance

    struct AttendResponse: Encodable {
        /// Number of days attended.
        var count: Int
        /// Whether today's attendance had been recorded before.
        var already: Bool
    }

    /// `GET /event-application` → 200 with the page.
    func page(_ request: Request, _ context: SignedInContext) async throws -> Response {
        AttendancePage(try await attendance.page(for: context.account)).response
    }

    /// `POST /event-application/attendance` with `X-Page-Token`, an access token in `Authorization`, or both → 200;
    /// idempotent within a day. 401 without a valid one.
    func attend(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let record = try await attendance.attend(
            page: request.headers[.pageToken],
            account: context.identity?.account
        )
        return try .json(AttendResponse(count: record.days, already: record.isToday))
    }

}

extension AttendanceError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .tokenUnknown:
            Problem(.unauthenticated, message: "This page was used, or is too old; open it again.")
        }
    }
}
