package import ServiceLifecycle

/// A service that is called by the name of its type. A group calls it by its description, which is otherwise everything that is in
/// it: long to write, and not for logs.
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
