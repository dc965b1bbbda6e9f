import Apps
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

    /// `POST /event-application/attendance` with `X-Page-Token`, the access token in `Authorization`, or both → 200;
    /// idempotent within a day. 401 for a used or expired page, 419 for an expired access token.
    func attend(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let record = try await attendance.attend(
            page: request.headers[.pageToken],
            access: request.headers[.authorization].flatMap(Self.token)
        )
        return try .json(AttendResponse(count: record.days, already: record.isToday))
    }

    /// The token of an `Authorization` field, which Anlaka sends without a scheme (contract 1.2).
    private static func token(_ field: String) -> String? {
        let words = field.split(separator: " ")
        switch words.count {
        case 1 where words[0].lowercased() != "bearer": return String(words[0])
        case 2 where words[0].lowercased() == "bearer": return String(words[1])
        default: return nil
        }
    }
}

extension AttendanceError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .tokenUnknown:
            Problem(.unauthenticated, message: "This page was used, or is too old; open it again.")
        case .accessExpired: Problem(.accessExpired, message: "The access token has expired.")
        case .notNow: Problem(.unavailable, message: "Try again in a moment.", retryAfter: 1)
        }
    }
}
