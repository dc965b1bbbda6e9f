package import AppWire
import Hummingbird
import Logging
import NIOCore

/// Turns what a route throws into the refusal that the app in front expects.
///
/// A `Problem` is answered in the app's words. Hummingbird's own errors become the problem they mean. Anything else is a
/// defect: it is logged, and the answer tells no more than the request's id.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return response(to: Self.problem(error, context: context), context: context)
        }
    }

    private func response(to problem: Problem, context: AppRequestContext) -> Response {
        let answer = problem.answer(for: context.app, requestID: context.requestID)
        var headers = HTTPFields()
        if let type = answer.contentType { headers[.contentType] = type }
        if let seconds = answer.retryAfter { headers[.retryAfter] = String(seconds) }
        return Response(
            status: answer.status,
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
            Logger.current.error("defect", error: error, metadata: ["route": "\(context.endpointPath ?? "-")"])
            return Problem(.internal, message: "Something went wrong on our side (\(context.requestID)).")
        }
    }
}

/// An error that knows how it is told to an app: a service's domain errors, and failures of shared libraries that are
/// nobody's defect, such as a database that is being restarted.
package protocol ProblemConvertible: Error {
    var problem: Problem { get }
}
