import Apps
import Hummingbird
import NIOCore
import ServiceKit
import ServiceLifecycle

/// Sends operators a page's content every few seconds, as server-sent events.
struct PageUpdates: Sendable {
    let operators: OperatorStore
    let pause: Duration

    /// How often a page's content is sent over one connection. The browser makes another one afterwards.
    private static let count = 120

    /// - Parameter content: The page's content; nil, or an error, ends the answer.
    func answer(_ request: Request, of content: @escaping @Sendable (Visit) async throws -> HTML?) async -> Response {
        await Visit.answer(request, operators) { visit in
            let body = ResponseBody { writer in
                for _ in 0..<Self.count {
                    let isOver = await cancelWhenGracefulShutdown { (try? await Task.sleep(for: pause)) == nil }
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
