/// Where spans are exported: the variables of OpenTelemetry's specification ("OTLP Exporter Configuration", "Environment
/// Variable Specification").
package struct CollectorSettings: Sendable, Equatable {
    /// The address of `/v1/traces`; nil if spans are not exported.
    package var url: String?
    /// Sent with each request.
    package var headers: [NamedText] = []
    /// How long a request may take.
    package var timeout: Duration = .seconds(10)
    package var sampler: ExportSampler = .always
    /// The longest time that spans wait for others.
    package var delay: Duration = .seconds(5)
    /// The maximum number of spans that wait.
    package var queueSize = 2048
    /// The maximum number of spans in a request.
    package var batchSize = 512
    /// Describes the process.
    package var resource: [NamedText] = []

    package struct NamedText: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package init(_ program: String, _ settings: inout Settings) {
        let endpoint = settings.address(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "address of an OpenTelemetry collector that gets spans, such as http://127.0.0.1:4318"
        )
        let exact = settings.address(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "the same with the path, if it is not /v1/traces"
        )
        let isOff = settings.value("OTEL_SDK_DISABLED", default: false, "true or false", "no spans are exported") {
            Bool($0.lowercased())
        }
        let exports = settings.value(
            "OTEL_TRACES_EXPORTER",
            default: true,
            "otlp or none",
            "none: no spans are exported",
            shown: "otlp"
        ) { $0 == "otlp" ? true : $0 == "none" ? false : nil }
        _ = settings.value(
            "OTEL_EXPORTER_OTLP_PROTOCOL",
            default: "http/json",
            "http/json, the only encoding that is sent",
            "encoding of spans"
        ) { $0 == "http/json" ? $0 : nil }
        if !isOff, exports { url = exact ?? endpoint.map { "\($0)/v1/traces" } }
        headers = settings.namedTexts("OTEL_EXPORTER_OTLP_HEADERS", "sent to the collector")
        timeout = settings.milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", default: 10_000, "in which the collector answers")
        delay = settings.milliseconds("OTEL_BSP_SCHEDULE_DELAY", default: 5000, "that spans wait for others")
        queueSize = settings.int("OTEL_BSP_MAX_QUEUE_SIZE", default: 2048, in: 1...1_000_000, "spans that wait")
        batchSize = settings.int("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", default: 512, in: 1...100_000, "spans in a request")
        sampler = Self.sampler(&settings)
        let name = settings.value("OTEL_SERVICE_NAME", default: program, "not empty", "name of the program in spans") {
            $0.isEmpty ? nil : $0
        }
        resource =
            [
                .init(name: "service.name", value: name), .init(name: "service.namespace", value: "madang"),
                .init(name: "service.instance.id", value: SpanID.random().description),
                .init(name: "telemetry.sdk.name", value: "madang"),
                .init(name: "telemetry.sdk.language", value: "swift"),
            ] + settings.namedTexts("OTEL_RESOURCE_ATTRIBUTES", "describe the process in spans")
    }

    private static func sampler(_ settings: inout Settings) -> ExportSampler {
        let argument = settings.value(
            "OTEL_TRACES_SAMPLER_ARG",
            default: nil,
            "a number from 0 to 1",
            "share of the traces that traceidratio takes"
        ) { text in Double(text).flatMap { (0...1).contains($0) ? text : nil }.map(String?.some) }
        return settings.value(
            "OTEL_TRACES_SAMPLER",
            default: .always,
            "always_on, always_off or traceidratio, or one of these after parentbased_",
            "traces that are exported",
            shown: "parentbased_always_on"
        ) { ExportSampler(name: $0, argument: argument) }
    }
}

extension Settings {
    /// `http(s)://host:port`, maybe with a path.
    fileprivate mutating func address(_ name: String, _ meaning: String) -> String? {
        value(name, default: nil, "http(s)://host:port, maybe with a path", meaning) { text in
            text.isEmpty ? .some(nil) : Self.urls(text).flatMap { $0.count == 1 ? .some($0[0]) : nil }
        }
    }

    fileprivate mutating func milliseconds(_ name: String, default standard: Int, _ meaning: String) -> Duration {
        .milliseconds(int(name, default: standard, in: 1...3_600_000, "milliseconds \(meaning)"))
    }

    /// `name=value` pairs separated by commas, percent-encoded as in W3C Baggage.
    fileprivate mutating func namedTexts(_ name: String, _ meaning: String) -> [CollectorSettings.NamedText] {
        value(name, default: [], "name=value, several joined by commas", "name=value pairs that \(meaning)", shown: "")
        {
            let pairs = $0.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1).map(\.percentDecoded) }
            let texts = pairs.compactMap { pair -> CollectorSettings.NamedText? in
                guard pair.count == 2, let name = pair[0], let value = pair[1] else { return nil }
                return .init(name: name.trimmed, value: value.trimmed)
            }
            return texts.count == pairs.count ? texts : nil
        }
    }
}
