package import Apps
package import Hummingbird
import ServiceKit

extension Request {
    /// The body as a multipart form.
    ///
    /// - Throws: `MultipartError` if the request is not one.
    package func multipart(_ limits: MultipartLimits = MultipartLimits()) throws -> MultipartReader<RequestBody> {
        let boundary = try MultipartBoundary(contentTypes: headers[values: .contentType])
        return MultipartReader(body, boundary: boundary, limits: limits)
    }
}

extension MultipartError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .headersTooLarge, .tooManyParts, .partTooLarge: Problem(.tooLarge, message: description)
        default: Problem(.malformed, message: description)
        }
    }
}
