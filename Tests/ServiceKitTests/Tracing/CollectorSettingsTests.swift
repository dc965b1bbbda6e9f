import Configuration
import Testing

@testable import ServiceKit

/// OpenTelemetry's variables.
struct CollectorSettingsTests {
    private func read(_ variables: [String: String]) throws -> CollectorSettings {
        let provider = EnvironmentVariablesProvider(environmentVariables: variables)
        return try Settings.read(from: ConfigReader(provider: provider)) { CollectorSettings("chat", &$0) }
    }

    @Test func nothingSet_exportsNothing() throws {
        let settings = try read([:])
        #expect(settings.url == nil && settings.sampler == .always)
        #expect(settings.resource.first == .init(name: "service.name", value: "chat"))
    }

    @Test func endpoint_getsThePath_exactOneHasIt() throws {
        #expect(try read(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318/"]).url == "http://a:4318/v1/traces")
        let exact = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://b/in"]
        #expect(try read(exact).url == "https://b/in")
    }

    @Test(arguments: [["OTEL_SDK_DISABLED": "true"], ["OTEL_TRACES_EXPORTER": "none"]])
    func switchedOff_exportsNothing(_ off: [String: String]) throws {
        #expect(try read(off.merging(["OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"]) { $1 }).url == nil)
    }

    @Test func headersAndResource_areDecoded() throws {
        let settings = try read([
            "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Basic%20a%3D%3D, x-tenant = 1",
            "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=test", "OTEL_SERVICE_NAME": "talk",
        ])
        #expect(
            settings.headers == [.init(name: "authorization", value: "Basic a=="), .init(name: "x-tenant", value: "1")]
        )
        #expect(settings.resource.contains(.init(name: "deployment.environment.name", value: "test")))
        #expect(settings.resource.first?.value == "talk")
    }

    @Test(arguments: [
        ("always_on", nil, ExportSampler.always), ("always_off", nil, .never), ("traceidratio", "0.25", .share(0.25)),
        ("parentbased_traceidratio", "0.1", .share(0.1)), ("parentbased_always_on", nil, .always),
        ("traceidratio", nil, .share(1)),
    ])
    func sampler_isRead(_ name: String, _ argument: String?, _ sampler: ExportSampler) throws {
        var variables = ["OTEL_TRACES_SAMPLER": name]
        variables["OTEL_TRACES_SAMPLER_ARG"] = argument
        #expect(try read(variables).sampler == sampler)
    }

    @Test(arguments: [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_TRACES_SAMPLER", "sometimes"), ("OTEL_TRACES_SAMPLER_ARG", "2"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "nothing"), ("OTEL_EXPORTER_OTLP_TIMEOUT", "0"),
        ("OTEL_SDK_DISABLED", "perhaps"), ("OTEL_TRACES_EXPORTER", "zipkin"), ("OTEL_RESOURCE_ATTRIBUTES", "a=%zz"),
        ("OTEL_SERVICE_NAME", ""),
    ])
    func badValue_isNamed(_ name: String, _ value: String) {
        let error = #expect(throws: SettingsError.self) { try read([name: value]) }
        #expect(error?.problems.count == 1 && error?.problems.first?.hasPrefix("\(name) must be") == true)
    }

    @Test func share_takesAsManyTraces() {
        let taken = (0..<10_000).count { _ in ExportSampler.share(0.2).takes(.random()) }
        #expect((1_700...2_300).contains(taken))
        #expect(ExportSampler.share(1).takes(TraceID(high: 1, low: .max)))
        #expect(!ExportSampler.share(0).takes(TraceID(high: 1, low: 0)))
    }
}
