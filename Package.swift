// swift-tools-version: 6.2
import PackageDescription

// Targets are declared by the helpers at the end. A service depends on shared libraries only; so does the gateway.

/// The folders of `shared/Apps`.
let apps = ["SeatCatcher", "MOUP", "Anlaka", "Culture", "WithSuhyeon"]

/// What `make up` starts and the container image holds.
let programs = [
    "Auth", "Seats", "Workforce", "Estate", "Community", "Chat", "Payments", "Notifications", "Gateway", "Sandbox",
    "Stack",
]

/// How much there is to build: for layers of the container image `dependencies`, the packages that Madang stands on, or
/// `programs`, all but the tests; everything without it.
let extent = Context.environment["MADANG_BUILD"] ?? ""

let package = Package(
    name: "madang",
    platforms: [.macOS(.v15)],
    products: extent == "dependencies"
        ? []
        : (programs + ["Bench"]).map { name in
            .executable(name: name.lowercased(), targets: [name])
        },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["Logging"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            exact: "2.28.1",
            traits: ["ConfigurationSupport"]
        ),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    ] + .indirect,
    targets: .dependencies + (extent == "dependencies" ? [] : .shared + .services + .gateway)
        + (extent.isEmpty ? .suites : [])
)

// MARK: - Packages

extension [Package.Dependency] {
    /// What the packages above stand on, pinned too: a build of the same commit is a build of the same sources.
    static var indirect: Self {
        [
            .package(url: "https://github.com/apple/swift-algorithms", exact: "1.2.1"),
            .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
            .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
            .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
            .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
            .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
            .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
            .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
            .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
        ]
    }
}

// MARK: - What is compiled before our own code

extension [Target] {
    /// A target that names every product that programs use, so that these can be compiled before our own code.
    static var dependencies: Self {
        [
            .target(
                name: "Dependencies",
                dependencies: [
                    .product(name: "Algorithms", package: "swift-algorithms"),
                    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                    .product(name: "Atomics", package: "swift-atomics"),
                    .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                    .product(name: "NIOSSL", package: "swift-nio-ssl"),
                    .product(name: "RealModule", package: "swift-numerics"),
                    .product(name: "SwiftASN1", package: "swift-asn1"),
                    .product(name: "Tracing", package: "swift-distributed-tracing"),
                    .product(name: "X509", package: "swift-certificates"),
                    .arguments, .configuration, .coreMetrics, .crypto, .cryptoExtras, .deque, .httpClient, .httpTypes,
                    .hummingbird, .hummingbirdCore, .jwt, .lifecycle, .logging, .metrics, .nioCore, .nioHTTP1,
                    .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioPosix, .serviceContext, .subprocess, .system, .unixSignals,
                ],
                path: "shared/Dependencies"
            )
        ]
    }
}

// MARK: - shared/

extension [Target] {
    static var shared: Self {
        [
            .plugin(name: "EmbedResources", capability: .buildTool(), path: "shared/EmbedResources"),
            .systemLibrary(name: "CLibPQ", path: "shared/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
            .library("Postgres", ["CLibPQ", .nioCore, .logging, .metrics, .lifecycle, .crypto, .deque]),
            .library("PostgresServer", [.subprocess, .system]),
            .library("Contracts", []),
            .library("Apps", ["Contracts"], exclude: apps.map { "\($0)/Contract.md" }),
            .library("Districts", [], resources: true),
            .library("Subway", [], resources: true),
            .library("Providers", ["AppWire", "ServiceHost", .httpClient, .logging, .nioCore, .nioHTTP1]),
            .library(
                "People",
                ["AppWire", "Contracts", "InternalClient", "Outbox", "Postgres", "ServiceDatabase", "ServiceHost"],
                resources: true
            ),
            .library("Paging", ["AppWire", "ServiceHost", .hummingbird]),
            .library("Comments", ["AppWire", "Contracts", "Paging", "People", "Postgres", "ServiceHost", "TypedText"]),
            .library("Geography", ["AppWire", "ServiceHost", .hummingbird]),
            .library("TypedText", []),
            .library("CivilTime", []),
            .library("Clustering", []),
            .library("Payroll", ["CivilTime"], resources: true),
            .library("Authentication", ["Contracts", .crypto, .lifecycle, .logging]),
            .library("AppWire", ["CivilTime", "Contracts", .httpTypes]),
            .library(
                "WebSocket",
                [
                    .coreMetrics, .crypto, .httpTypes, .hummingbirdCore, .logging, .nioCore, .nioHTTP1, .nioHTTPTypes,
                    .nioHTTPTypesHTTP1, .nioPosix,
                ]
            ),
            .library("SocketIO", ["WebSocket", .httpTypes, .nioCore]),
            .library("STOMP", ["WebSocket", .httpTypes, .nioCore, .nioPosix]),
            .library(
                "ServiceHost",
                [
                    "AppWire", "Apps", "Authentication", "Contracts", "WebSocket", .configuration, .httpTypes,
                    .hummingbird,
                    .hummingbirdCore, .lifecycle, .logging, .metrics, .coreMetrics, .nioCore, .serviceContext,
                    .unixSignals,
                ]
            ),
            .library("Multipart", ["AppWire", "ServiceHost", .hummingbird, .nioCore]),
            .library(
                "Files",
                [
                    "AppWire", "ServiceHost", .crypto, .httpClient, .httpTypes, .hummingbird, .logging, .nioCore,
                    .nioHTTP1, .nioPosix, .system,
                ]
            ),
            .library(
                "InternalClient",
                [
                    "AppWire", "Authentication", "ServiceHost", .httpClient, .logging, .nioCore,
                    .nioHTTP1, .serviceContext,
                ]
            ),
            .library(
                "Outbox",
                [
                    "AppWire", "Authentication", "Contracts", "InternalClient", "Postgres", "ServiceHost", .hummingbird,
                    .lifecycle, .logging, .metrics, .nioCore, .serviceContext,
                ],
                resources: true
            ),
            .library(
                "Uploads",
                [
                    "AppWire", "Files", "Multipart", "Postgres", "ServiceHost", .hummingbird, .lifecycle, .logging,
                    .nioCore,
                ],
                resources: true
            ),
            .library(
                "ServiceDatabase",
                ["AppWire", "CivilTime", "Contracts", "Postgres", "ServiceHost", .hummingbird, .lifecycle, .logging]
            ),
            .program(
                "Sandbox",
                path: "shared/Sandbox",
                [
                    "AppWire", "Authentication", "CivilTime", "Districts", "Files", "ServiceHost", "Subway", .crypto,
                    .cryptoExtras, .deque, .httpTypes, .hummingbird, .httpClient, .lifecycle, .logging, .nioCore,
                    .nioHTTP1,
                ],
                resources: true
            ),
            .library(
                "StackKit",
                [
                    "Contracts", "PostgresServer", "STOMP", "WebSocket", .crypto, .httpClient, .nioCore, .nioHTTP1,
                    .subprocess, .system,
                ],
                resources: true
            ),
            .program(
                "Stack",
                path: "shared/Stack",
                [
                    "Authentication", "CivilTime", "Contracts", "Districts", "PostgresServer", "StackKit", "WebSocket",
                    .arguments, .httpClient, .logging, .nioCore, .nioHTTP1, .unixSignals,
                ]
            ),
            .program(
                "Bench",
                path: "shared/Bench",
                [
                    "Authentication", "CivilTime", "Clustering", "Contracts", "Payroll", "Postgres", "PostgresServer",
                    "StackKit", "WebSocket",
                    .arguments, .crypto, .httpClient, .logging, .nioCore, .nioHTTP1, .nioPosix, .subprocess, .system,
                ],
                resources: true
            ),
            .target(
                name: "Programs",
                dependencies: programs.map { .target(name: $0) },
                path: "shared/Programs"
            ),
        ]
    }
}

// MARK: - services/ and gateway/

extension [Target] {
    static var services: Self {
        [
            .service(
                "Auth",
                [
                    "Files", "Providers", "Uploads", .jwt, .crypto, .cryptoExtras, .httpClient, .nioPosix,
                ]
            ),
            .service("Seats", ["CivilTime", "STOMP", "Subway", "TypedText", .httpClient, .nioHTTP1]),
            .service("Workforce", ["CivilTime", "Payroll", "TypedText"]),
            .service(
                "Estate",
                [
                    "CivilTime", "Clustering", "Comments", "Files", "Geography", "Paging", "People", "Providers",
                    "TypedText", "Uploads", .httpClient,
                ]
            ),
            .service(
                "Community",
                [
                    "CivilTime", "Comments", "Files", "Geography", "Multipart", "Paging", "People", "Providers",
                    "TypedText", "Uploads", .crypto, .httpClient,
                ]
            ),
            .service("Chat", ["Files", "People", "SocketIO", "STOMP", "Uploads", "WebSocket", .metrics]),
            .service(
                "Payments",
                ["CivilTime", "Geography", "Paging", "People", "Providers", .crypto, .httpClient]
            ),
            .service(
                "Notifications",
                [
                    "CivilTime", "Paging", "People", "Providers", "TypedText", .crypto, .cryptoExtras, .deque,
                    .httpClient, .metrics, .nioHTTP1,
                ]
            ),
        ]
    }

    static var gateway: Self {
        [
            .program(
                "Gateway",
                path: "gateway",
                [
                    "AppWire", "Apps", "Authentication", "Contracts", "InternalClient", "ServiceHost", .nioCore,
                    .nioPosix,
                    .nioHTTP1, .httpTypes, .httpClient, .logging, .metrics, .lifecycle, .crypto, .hummingbird,
                ]
            )
        ]
    }
}

// MARK: - Tests/

extension [Target] {
    static var suites: Self {
        [
            .testTarget(
                name: "TestSupport",
                dependencies: [
                    "CivilTime", "Payroll", "Postgres", "PostgresServer", "ServiceHost", "Authentication", "Contracts",
                    "WebSocket", .hummingbird, .httpClient, .crypto, .subprocess, .system, .logging, .nioCore,
                    .nioPosix,
                    .nioHTTP1, .hummingbirdTesting,
                ],
                path: "Tests/TestSupport",
                exclude: ["Pay/Vectors"],
                swiftSettings: .strict
            ),
            .tests("TestSupport", ["Postgres"]),
            .tests("Apps", []),
            .tests("Contracts", []),
            .tests("Postgres", ["Postgres", "PostgresServer", .lifecycle]),
            .tests("PostgresServer", ["PostgresServer", .subprocess, .system]),
            .tests("ServiceDatabase", ["AppWire", "Postgres", "PostgresServer", "ServiceDatabase", .lifecycle]),
            .tests("Outbox", ["AppWire", "InternalClient", "Outbox", "Postgres", "PostgresServer"]),
            .tests("ServiceHost", ["AppWire", .configuration, .coreMetrics, .yams]),
            .tests("Authentication", [.jwt, .crypto]),
            .tests("Districts", ["Districts"]),
            .tests("Subway", ["Subway"], exclude: ["Data"]),
            .tests("Providers", ["Providers", .httpClient]),
            .tests("Paging", ["Paging"]),
            .tests("People", ["Outbox", "People", "Postgres"]),
            .tests("TypedText", ["TypedText"]),
            .tests("Clustering", ["Clustering"]),
            .tests("CivilTime", ["CivilTime"]),
            .tests("Payroll", ["CivilTime", "Payroll"]),
            .tests("WebSocket", ["WebSocket", .hummingbirdCore, .nioEmbedded, .nioPosix]),
            .tests("STOMP", ["STOMP", "WebSocket", .nioEmbedded]),
            .tests("SocketIO", ["SocketIO", "WebSocket", .nioEmbedded]),
            .tests("AppWire", ["AppWire"]),
            .tests("Multipart", ["Multipart"]),
            .tests("Files", ["Files", "Sandbox", .crypto, .httpClient]),
            .tests("Uploads", ["Files", "Postgres", "Uploads"]),
            .tests("InternalClient", ["AppWire", "InternalClient", "PostgresServer"]),
            .tests("Sandbox", ["CivilTime", "Districts", "Sandbox", "Subway", .configuration, .crypto, .jwt]),
            .tests("Stack", ["PostgresServer", "Stack", "StackKit", .subprocess, .system]),
            .tests("Bench", ["Bench"]),
            .tests(
                "Gateway",
                [
                    "Gateway", "PostgresServer", .configuration, .crypto, .lifecycle, .nioEmbedded, .nioPosix,
                ]
            ),
            .serviceTests("Auth", ["Files", "Providers", "Uploads", .crypto, .lifecycle]),
            .serviceTests("Seats", ["STOMP", "Subway", "WebSocket", .nioHTTP1]),
            .serviceTests("Workforce", ["CivilTime", "Payroll"]),
            .serviceTests(
                "Estate",
                [
                    "CivilTime", "Clustering", "Comments", "Files", "Geography", "People", "Paging", "Providers",
                    "Uploads", .crypto,
                ]
            ),
            .serviceTests(
                "Community",
                ["CivilTime", "Comments", "Files", "Geography", "People", "Paging", "Uploads", .crypto]
            ),
            .serviceTests("Chat", ["Files", "People", "SocketIO", "STOMP", "Uploads", "WebSocket", .nioHTTP1]),
            .serviceTests("Payments", ["CivilTime", "Paging", "People", "Providers", .configuration, .nioHTTP1]),
            .serviceTests(
                "Notifications",
                ["CivilTime", "Paging", "People", "Providers", .crypto, .cryptoExtras, .nioEmbedded, .nioHTTP1]
            ),
            .tests(
                "Platform",
                [
                    "Auth", "Bench", "Chat", "CivilTime", "Community", "Estate", "Files", "Gateway", "Geography",
                    "Notifications", "Payments", "Postgres", "PostgresServer", "STOMP", "Sandbox", "Seats", "Stack",
                    "StackKit", "WebSocket", "Workforce",
                    .crypto, .httpClient, .lifecycle, .nioHTTP1, .yams,
                ]
            ),
            .tests("Architecture", [.yams]),
        ]
    }
}

// MARK: - Products of the packages this one stands on

extension Target.Dependency {
    static var arguments: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
    static var configuration: Self { .product(name: "Configuration", package: "swift-configuration") }
    static var coreMetrics: Self { .product(name: "CoreMetrics", package: "swift-metrics") }
    static var crypto: Self { .product(name: "Crypto", package: "swift-crypto") }
    static var cryptoExtras: Self { .product(name: "CryptoExtras", package: "swift-crypto") }
    static var deque: Self { .product(name: "DequeModule", package: "swift-collections") }
    static var httpClient: Self { .product(name: "AsyncHTTPClient", package: "async-http-client") }
    static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }
    static var hummingbird: Self { .product(name: "Hummingbird", package: "hummingbird") }
    static var hummingbirdCore: Self { .product(name: "HummingbirdCore", package: "hummingbird") }
    static var hummingbirdTesting: Self { .product(name: "HummingbirdTesting", package: "hummingbird") }
    static var jwt: Self { .product(name: "JWTKit", package: "jwt-kit") }
    static var lifecycle: Self { .product(name: "ServiceLifecycle", package: "swift-service-lifecycle") }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var metrics: Self { .product(name: "Metrics", package: "swift-metrics") }
    static var nioCore: Self { .product(name: "NIOCore", package: "swift-nio") }
    static var nioEmbedded: Self { .product(name: "NIOEmbedded", package: "swift-nio") }
    static var nioHTTP1: Self { .product(name: "NIOHTTP1", package: "swift-nio") }
    static var nioHTTPTypes: Self { .product(name: "NIOHTTPTypes", package: "swift-nio-extras") }
    static var nioHTTPTypesHTTP1: Self { .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras") }
    static var nioPosix: Self { .product(name: "NIOPosix", package: "swift-nio") }
    static var serviceContext: Self { .product(name: "ServiceContextModule", package: "swift-service-context") }
    static var subprocess: Self { .product(name: "Subprocess", package: "swift-subprocess") }
    static var system: Self { .product(name: "SystemPackage", package: "swift-system") }
    static var unixSignals: Self { .product(name: "UnixSignals", package: "swift-service-lifecycle") }
    static var yams: Self { .product(name: "Yams", package: "Yams") }
}

// MARK: - Helpers

extension [SwiftSetting] {
    static var strict: Self {
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
    }
}

extension Target {
    /// - Parameter resources: whether it has files beside its Swift code, which go into the binary.
    static func library(
        _ name: String,
        _ dependencies: [Dependency],
        resources: Bool = false,
        exclude: [String] = []
    ) -> Target {
        .target(
            name: name,
            dependencies: dependencies,
            path: "shared/\(name)",
            exclude: exclude,
            swiftSettings: .strict,
            plugins: resources ? ["EmbedResources"] : []
        )
    }

    static func program(
        _ name: String,
        path: String,
        _ dependencies: [Dependency],
        resources: Bool = false
    ) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: path,
            swiftSettings: .strict,
            plugins: resources ? ["EmbedResources"] : []
        )
    }

    /// A service: an executable over the shared libraries, with its migrations and its API document in the binary.
    static func service(_ name: String, _ dependencies: [Dependency]) -> Target {
        let kit: [Dependency] = [
            "AppWire", "Apps", "Authentication", "Contracts", "InternalClient", "Outbox", "Postgres", "ServiceDatabase",
            "ServiceHost", .hummingbird, .logging, .lifecycle, .httpTypes, .nioCore,
        ]
        return .program(name, path: "services/\(name)", kit + dependencies, resources: true)
    }

    /// The tests of a service, which run it on a database of their own.
    static func serviceTests(_ subject: String, _ dependencies: [Dependency]) -> Target {
        let kit: [Dependency] = [
            "AppWire", "InternalClient", "Outbox", "Postgres", "PostgresServer", "Sandbox", .httpClient,
        ]
        return .tests(subject, [.init(stringLiteral: subject)] + kit + dependencies)
    }

    static func tests(_ subject: String, _ dependencies: [Dependency], exclude: [String] = []) -> Target {
        let kit: [Dependency] = [
            "Apps", "Authentication", "Contracts", "ServiceHost", "TestSupport", .httpTypes, .hummingbird,
            .hummingbirdTesting,
            .logging, .nioCore,
        ]
        return .testTarget(
            name: "\(subject)Tests",
            dependencies: kit + dependencies,
            path: "Tests/\(subject)Tests",
            exclude: exclude,
            swiftSettings: .strict
        )
    }
}
