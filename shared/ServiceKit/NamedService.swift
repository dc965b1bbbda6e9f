package import ServiceLifecycle

/// A service whose description is the name of its type. `ServiceGroup` logs the description, which otherwise contains
/// every property of the service.
package struct NamedService: Service, CustomStringConvertible {
    private let service: any Service

    package init(_ service: any Service) {
        self.service = service
    }

    package var description: String { "\(type(of: service))" }

    package func run() async throws {
        try await service.run()
    }
}
