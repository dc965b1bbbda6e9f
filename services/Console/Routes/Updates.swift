import Apps
import Hummingbird
import NIOCore
import ServiceKit
import ServiceLifecycle

extension Visit {
    /// How often a page's content is sent anew, and how many times over one connection.
    private static let updates = (pause: Duration.seconds(5), count: 120)

    /// Answers an operator with a page's content every few seconds, as server-sent events.
    ///
    /// - Parameter content: The page's content; nil, or an error, ends the answer.
    static func updates(
        _ request: Request,
        _ operators: OperatorStore,
        of content: @escaping @Sendable (Visit) async throws -> HTML?
    ) async -> Response {
        await answer(request, operators) { visit in
            let body = ResponseBody { writer in
                for _ in 0..<updates.count {
                    let isOver = await cancelWhenGracefulShutdown {
                        (try? await Task.sleep(for: updates.pause)) == nil
                    }
                    // A session that has ended sees no more.
                    guard !isOver, try await operators.find(request.sessionToken ?? "") != nil,
                        let html = try? await content(visit)
                    else { break }
                    let lines = html.text.split(separator: "\n").map { "data: \($0)\n" }.joined()
                    try await writer.write(ByteBuffer(string: "event: page\n\(lines)\n"))
                }
                try await writer.finish(nil)
            }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: body
            )
        }
    }
}
