package import Apps
package import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Tracing
import Values

/// Converts errors thrown by routes into error responses in the format of the app.
///
/// A `Problem` is converted directly, and Hummingbird's own errors to the corresponding problem. Any other error is a
/// defect: it is logged, and the response contains only the request id.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let problem = Self.problem(error, context: context)
            context.span?.updateAttributes { attributes in
                attributes["error.type"] = problem.kind.rawValue
                if let code = problem.code { attributes["madang.problem.code"] = code }
                // What is malformed may be quoted.
                if problem.kind != .malformed { attributes["madang.problem.message"] = problem.message }
            }
            var response = response(to: problem, context: context)
            if let error = error as? any ProblemConvertible { response.headers.append(contentsOf: error.fields) }
            return response
        }
    }

    private func response(to problem: Problem, context: AppRequestContext) -> Response {
        let answer = problem.errorResponse(for: context.app, requestID: context.requestID)
        var headers = HTTPFields()
        if let type = answer.contentType { headers[.contentType] = type }
        if let challenge = answer.challenge { headers[.wwwAuthenticate] = challenge }
        if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
        let isDone = Sabotage.errorAnsweredAsDone.isBuiltIn && problem.kind == .conflict
        return Response(
            status: isDone ? .ok : answer.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body))
        )
    }

    private static func problem(_ error: any Error, context: AppRequestContext) -> Problem {
        switch error {
        case let problem as Problem:
            return problem
        case let error as any ProblemConvertible where error.problem.kind != .internal:
            return error.problem
        case let error as HTTPError where error.status == .notFound:
            return Problem(.unknownRoute, message: "There is nothing at this address.")
        case let error as HTTPError where error.status == .methodNotAllowed:
            return Problem(.methodNotAllowed, message: "This address does not take that method.")
        case let error as HTTPError where error.status == .contentTooLarge:
            return Problem(.tooLarge, message: "The body is too large.")
        case let error as HTTPError where error.status.kind == .clientError:
            return Problem(.malformed, message: error.body ?? "The request is malformed.")
        case _ where Task.isCancelled:
            return Problem(.unavailable, message: "This took too long; try again.", retryAfter: 1)
        default:
            Logger.current.error(
                "http: unhandled error",
                error: error,
                metadata: ["route": "\(context.endpointPath ?? "-")"]
            )
            return Problem(.internal, message: "Something went wrong on our side (\(context.requestID)).")
        }
    }
}

/// An error that can be converted to a problem: domain errors of a service, and expected failures of shared libraries,
/// such as a restarting database.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
    /// Header fields of the response, besides those of the problem.
    var fields: HTTPFields { get }
}

extension ProblemConvertible {
    package var fields: HTTPFields { [:] }
}
