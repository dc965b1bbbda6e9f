package import Hummingbird

/// Cancels the handling of a request that takes longer than its deadline. What was cancelled is then answered as
/// unavailable by `ProblemMiddleware`, so no answer is ever cut short.
package struct DeadlineResponder<Base: HTTPResponder>: HTTPResponder where Base.Context: Sendable {
    let base: Base
    let deadline: Duration

    package func respond(to request: Request, context: Base.Context) async throws -> Response {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            group.addTask { try await base.respond(to: request, context: context) }
            group.addTask {
                try? await Task.sleep(for: deadline)
                return nil
            }
            while let first = try await group.next() {
                group.cancelAll()
                if let response = first { return response }
            }
            throw CancellationError()
        }
    }
}
