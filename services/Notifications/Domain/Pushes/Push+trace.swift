import Contracts
import ServiceKit
import Tracing

extension Push {
    /// Makes an attempt in a span of the trace that the push follows from. The span has no text of the push.
    func traced(_ attempt: () async -> PushOutcome) async -> PushOutcome {
        var context = ServiceContext.topLevel
        context.trace = trace.flatMap { TraceContext(header: $0) }
        return await InstrumentationSystem.tracer.withSpan("push", context: context, ofKind: .producer) { span in
            let outcome = await attempt()
            span.updateAttributes { attributes in
                attributes["messaging.system"] = "fcm"
                attributes["messaging.message.id"] = "\(message)"
                attributes["madang.app"] = app.rawValue
                attributes["madang.push.kind"] = content.kind
                attributes["madang.push.attempt"] = attempts + 1
                attributes["madang.push.outcome"] = outcome.name
                attributes["user.id"] = "\(account)"
            }
            if outcome.isWorking == false { span.setStatus(SpanStatus(code: .error)) }
            return outcome
        }
    }
}

extension PushOutcome {
    fileprivate var name: String {
        switch self {
        case .sent: "sent"
        case .quiet: "blocked"
        case .refused: "refused"
        case .gone: "device gone"
        case .later: "later"
        case .platformRejected: "refused by the platform"
        case .undecided: "undecided"
        case .misconfigured: "credentials refused"
        }
    }
}
