import Tracing

/// Handles what a socket has received, in a trace of its own. The span has no content of the frame, and `unknown` for a
/// destination that the service refuses, since the client may have made it up.
///
/// - Parameters:
///   - name: The protocol and the command, as `STOMP SEND`.
///   - destination: What it is about, such as a topic; nil for a frame without one.
package func withFrameSpan<Value, Failure: Error>(
    _ name: String,
    destination: String?,
    account: String?,
    _ handle: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    await InstrumentationSystem.tracer.withSpan(name, context: .topLevel, ofKind: .server) { span in
        span.attributes["user.id"] = account
        let result: Result<Value, Failure>
        do throws(Failure) {
            result = .success(try await handle())
            span.attributes["messaging.destination.name"] = destination
        } catch {
            result = .failure(error)
            span.updateAttributes { attributes in
                attributes["error.type"] = "\(Failure.self)"
                attributes["messaging.destination.name"] = destination.map { _ in "unknown" }
            }
        }
        return result
    }
}
