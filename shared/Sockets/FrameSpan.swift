import Tracing

/// Handles what a socket has received, in a trace of its own. The span has no content of the frame.
///
/// - Parameters:
///   - name: The protocol and the command, as `STOMP SEND`.
///   - destination: What it is about, such as a topic.
package func withFrameSpan<Value, Failure: Error>(
    _ name: String,
    destination: String?,
    account: String?,
    _ handle: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    await InstrumentationSystem.tracer.withSpan(name, context: .topLevel, ofKind: .server) { span in
        span.updateAttributes { attributes in
            attributes["messaging.destination.name"] = destination
            attributes["user.id"] = account
        }
        do throws(Failure) {
            return .success(try await handle())
        } catch {
            span.attributes["error.type"] = "\(Failure.self)"
            return .failure(error)
        }
    }
}
