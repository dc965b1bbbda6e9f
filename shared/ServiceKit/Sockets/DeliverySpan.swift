import Tracing

/// Sends what follows from a request or a job to the sockets of this process, in a span of its trace. Without a trace, or
/// without sockets, nothing is recorded. The span has no content of the frames.
///
/// - Parameters:
///   - name: The protocol and the command, as `STOMP MESSAGE`.
///   - trace: The span that it follows from, as `traceparent`.
///   - destination: What it is about, such as a topic.
///   - id: The message's id.
///   - send: Returns the number of sockets.
package func withDeliverySpan(
    _ name: String,
    following trace: String?,
    destination: String,
    id: String,
    _ send: () -> Int
) {
    let start = DefaultTracerClock.now
    let count = send()
    guard count > 0, let trace = trace.flatMap({ TraceContext(header: $0) }) else { return }
    var context = ServiceContext.topLevel
    context.trace = trace
    let span = InstrumentationSystem.tracer.startSpan(name, context: context, ofKind: .producer, at: start)
    span.attributes["messaging.destination.name"] = destination
    span.attributes["messaging.message.id"] = id
    span.attributes["madang.sockets"] = count
    span.end()
}
