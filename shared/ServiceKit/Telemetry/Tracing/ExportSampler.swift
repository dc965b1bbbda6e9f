/// Which traces a collector gets: `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` of OpenTelemetry's specification.
///
/// A share is taken by the trace's id, so that all processes take the same traces. The gateway begins every trace of a
/// phone, so that there is no decision of a parent to follow, and `parentbased_` makes no difference.
package enum ExportSampler: Sendable, Equatable {
    case always
    case never
    /// From 0 to 1.
    case share(Double)

    /// - Returns: nil if there is no such sampler, or the share is none.
    package init?(name: String, argument: String?) {
        switch name.hasPrefix("parentbased_") ? name.dropFirst("parentbased_".count) : name[...] {
        case "always_on": self = .always
        case "always_off": self = .never
        case "traceidratio":
            guard let share = argument.map(Double.init) ?? 1, (0...1).contains(share) else { return nil }
            self = .share(share)
        default: return nil
        }
    }

    func takes(_ trace: TraceID) -> Bool {
        switch self {
        case .always: true
        case .never: false
        // The lowest 56 bits are random (W3C Trace Context, level 2).
        case .share(let share): trace.low & (1 << 56 - 1) < UInt64(share * 0x1p56)
        }
    }
}
