// swift-tools-version: 6.2
import Foundation
import PackageDescription
/// The folders of `shared/Apps`.
let apps = ["SeatCatcher", "MOUP", "Anlaka", "Culture", "WithSuhyeon"]
/// The folders of `shared/Apps` with the apps' clients, for tools and tests.
let clients = ["Client", "SeSAC/Client"] + apps.map { "\($0)/Client" }
/// What is beside them: the target `Apps`.
let catalogues = (FileManager.default.subpaths(atPath: "\(Context.packageDirectory)/shared/Apps") ?? [])
    .filter { $0.hasSuffix(".swift") && !$0.contains("Client/") }.sorted()
/// What `make up` starts and the container image holds.
let programs = [
    "Auth", "Seats", "Workforce", "Estate", "Community", "Chat", "Payments", "Notifications", "Gateway", "Sandbox",
    "Console", "Stack",
]
let embedResources = "shared/Tools/EmbedResources"
/// The targets to build, with what they depend on: for layers of the image, and for some tests alone. All without it.
let wanted = (Context.environment["MADANG_TARGETS"] ?? "").split(separator: " ").map(String.init)
let strict: [SwiftSetting] =
    ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"]
    .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
/// The packages of Apple, those that others stand on included: a build of the same commit is a build of the same sources.
let apple: [(name: String, version: Version)] = [
    ("algorithms", "1.2.1"), ("argument-parser", "1.8.2"), ("asn1", "1.7.4"), ("async-algorithms", "1.1.4"),
    ("atomics", "1.3.0"), ("certificates", "1.21.1"), ("collections", "1.6.0"), ("crypto", "4.5.2"),
    ("distributed-tracing", "1.7.3"), ("log", "1.16.2"), ("metrics", "2.13.0"), ("nio", "2.101.2"),
    ("nio-extras", "1.35.2"), ("nio-http2", "1.46.0"), ("nio-ssl", "2.37.6"), ("numerics", "1.1.1"),
    ("service-context", "1.5.1"), ("system", "1.8.1"),
]
let packages: [Package.Dependency] =
    apple.map { .package(url: "https://github.com/apple/swift-\($0.name)", exact: $0.version) } + [
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["Logging"]),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0", traits: []),
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
    ]
// MARK: - Targets, declared by the helpers at the end
/// Names every product that programs use, so that these can be compiled before our own code.
let dependencies = Target.target(
    name: "Dependencies",
    dependencies: [
        ("Algorithms", "algorithms"), ("AsyncAlgorithms", "async-algorithms"), ("Atomics", "atomics"),
        ("RealModule", "numerics"),
    ].map { .product(name: $0, package: "swift-\($1)") } + [
        .arguments, .asn1, .certificates, .configuration, .coreMetrics, .crypto, .cryptoExtras, .deque, .httpClient,
        .httpTypes, .hummingbird, .hummingbirdCore, .jwt, .lifecycle, .logging, .metrics, .nioCore, .nioHPACK,
        .nioHTTP1, .nioHTTP2, .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioPosix, .nioSSL, .nioTLS,
        .subprocess, .system, .tracing, .unixSignals,
    ],
    path: "shared/Tools/Dependencies"
)
let shared: [Target] = [
    .plugin(name: "EmbedResources", capability: .buildTool(), dependencies: ["YAMLToJSON"], path: embedResources),
    .systemLibrary(name: "CLibPQ", path: "shared/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CZlib", path: "shared/CZlib", providers: [.apt(["zlib1g-dev"])]),
    .library("Values", []),
    .library("Contracts", ["Values"]),
    .library("Apps", ["Contracts", "Values", .httpTypes], exclude: apps.map { "\($0)/Contract.md" } + clients),
    .library("Subway", ["Contracts"], resources: true),
    .library("Postgres", ["CLibPQ", "Values", .nioCore, .logging, .metrics, .lifecycle, .crypto, .deque, .tracing]),
    .library("NATS", ["Values", .logging, .metrics, .nioCore, .nioPosix, .nioSSL]),
    .library("Authentication", ["Contracts", .crypto, .lifecycle, .logging]),
    .library(
        "Sockets",
        [
            "Contracts", .coreMetrics, .crypto, .httpTypes, .hummingbirdCore, .logging, .nioCore, .nioHTTP1,
            .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioPosix, .tracing,
        ]
    ),
    .library(
        "ServiceKit",
        [
            "Apps", "Authentication", "Contracts", "Sockets", "Values", .configuration, .coreMetrics, .crypto,
            .deque, .httpClient, .httpTypes, .hummingbird, .hummingbirdCore, .lifecycle, .logging, .metrics, .nioCore,
            .nioHTTP1, .nioPosix, .tracing, .unixSignals,
        ]
    ),
    .library(
        "ServiceDatabase",
        [
            "Apps", "Contracts", "NATS", "Postgres", "ServiceKit", "Values", .crypto, .httpTypes, .hummingbird,
            .lifecycle, .logging, .metrics, .nioCore,
        ],
        resources: true
    ),
    .library(
        "Events",
        [
            "Apps", "Authentication", "Contracts", "Postgres", "ServiceDatabase", "ServiceKit", "Values", .hummingbird,
            .lifecycle, .logging, .metrics, .nioCore, .tracing,
        ],
        resources: true
    ),
    .library(
        "Profiles",
        ["Apps", "Contracts", "Events", "Postgres", "ServiceDatabase", "ServiceKit", "Values"],
        resources: true
    ),
    .library(
        "Files",
        [
            "Apps", "Contracts", "Postgres", "ServiceDatabase", "ServiceKit", .crypto, .httpClient, .httpTypes,
            .hummingbird, .lifecycle, .logging, .nioCore, .nioHTTP1, .nioPosix, .system,
        ],
        resources: true
    ),
]
/// What the tools of operators and developers have in common.
let toolKit: [Target.Dependency] = [
    "AppClients", "Apps", "Authentication", "Backups", "Contracts", "Moves", "PostgresServer", "ServiceKit", "StackKit",
    "Values", .arguments, .crypto, .httpClient, .logging, .nioCore, .nioHTTP1,
]
let tools: [Target] = [
    .program("YAMLToJSON", path: "shared/Tools/YAMLToJSON", [.yams]),
    .library("PostgresServer", path: "shared/Tools/PostgresServer", [.subprocess, .system]),
    .library("Districts", path: "shared/Tools/Districts", [], resources: true),
    .program(
        "Sandbox",
        path: "shared/Tools/Sandbox",
        [
            "Apps", "Authentication", "Districts", "Files", "ServiceKit", "Subway", "Values", .crypto, .cryptoExtras,
            .deque, .httpTypes, .hummingbird, .httpClient, .lifecycle, .logging, .nioCore, .nioHTTP1,
        ],
        resources: true
    ),
    .library(
        "AppClients",
        path: "shared/Apps",
        ["Apps", "Contracts", "Sockets", "Values", .httpClient, .nioCore, .nioHTTP1],
        exclude: apps.map { "\($0)/Contract.md" } + catalogues,
        sources: clients
    ),
    .library(
        "StackKit",
        path: "shared/Tools/StackKit",
        [
            "Authentication", "Contracts", "PostgresServer", .asn1, .certificates, .crypto, .httpClient, .nioCore,
            .nioHTTP1, .subprocess, .system,
        ],
        resources: true
    ),
    .library(
        "Backups",
        path: "shared/Tools/Backups",
        [
            "Files", "Postgres", "PostgresServer", "StackKit", "Values", .crypto, .httpClient, .logging, .nioCore,
            .nioHTTP1, .subprocess, .system,
        ]
    ),
    .library("Moves", path: "shared/Tools/Moves", ["Contracts", "Postgres", "StackKit", "Values", .crypto, .logging]),
    .library("Proof", path: "shared/Tools/Proof", toolKit + ["Payroll", "Postgres", "Sockets"], resources: true),
    .library("Conformance", path: "shared/Tools/Conformance", toolKit, resources: true),
    .program(
        "Stack",
        path: "shared/Tools/Stack",
        toolKit + ["Conformance", "Districts", "Proof", .configuration, .unixSignals]
    ),
    .program(
        "Bench",
        path: "shared/Tools/Bench",
        toolKit + [
            "Clustering", "NATS", "Payroll", "Postgres", "ServiceDatabase", "Sockets", .crypto, .nioPosix, .nioSSL,
            .subprocess, .system,
        ],
        resources: true
    ),
    .target(name: "Programs", dependencies: programs.map { .byName(name: $0) }, path: "shared/Tools/Programs"),
]
// MARK: - services/ and gateway/, which depend on shared libraries only
let servers: [Target] = [
    .service("Auth", ["Files", .jwt, .crypto, .cryptoExtras, .httpClient, .metrics, .nioPosix]),
    .service("Seats", ["Sockets", "Subway", .httpClient, .nioHTTP1]),
    .library("Payroll", path: "services/Workforce/Payroll", ["Contracts", "Values"], resources: true),
    .service("Workforce", ["Payroll", .metrics], exclude: ["Payroll"]),
    .library("Clustering", path: "services/Estate/Clustering", []),
    .service("Estate", ["Clustering", "Files", "Profiles", .httpClient], exclude: ["Clustering"]),
    .service("Community", ["Files", "Profiles", .crypto, .httpClient]),
    .service("Chat", ["Files", "Profiles", "Sockets", .deque, .metrics]),
    .service("Payments", ["Profiles", .httpClient]),
    .service("Notifications", ["Profiles", .crypto, .cryptoExtras, .deque, .httpClient, .metrics, .nioHTTP1]),
    .service("Console", [.crypto, .deque, .httpClient, .nioHTTP1]),
    .program(
        "Gateway",
        path: "gateway",
        [
            "Apps", "Authentication", "CZlib", "Contracts", "ServiceKit", "Values", .asn1, .certificates, .crypto,
            .httpClient, .httpTypes, .hummingbird, .hummingbirdCore, .lifecycle, .logging, .metrics, .nioCore,
            .nioHPACK, .nioHTTP1, .nioHTTP2, .nioPosix, .nioSSL, .nioTLS, .tracing,
        ],
        resources: true
    ),
]
// MARK: - Tests/
let suites: [Target] = [
    .testTarget(
        name: "TestKit",
        dependencies: [
            "AppClients", "Apps", "Authentication", "Contracts", "Events", "Payroll", "Postgres", "PostgresServer",
            "ServiceKit", "Sockets", "Values", .hummingbird, .httpClient, .httpTypes, .crypto, .subprocess, .system,
            .logging, .nioCore, .nioPosix, .nioHTTP1, .hummingbirdTesting, .tracing,
        ],
        path: "Tests/TestKit",
        exclude: ["Pay/Vectors"],
        swiftSettings: strict
    ),
    .tests("TestKit", ["Postgres"]),
    .tests("Values", []),
    .tests("Apps", ["AppClients"]),
    .tests("Contracts", []),
    .tests("Postgres", ["Postgres", "PostgresServer", .coreMetrics, .lifecycle]),
    .tests("NATS", ["NATS", "PostgresServer", .nioPosix]),
    .tests("PostgresServer", ["PostgresServer", .subprocess, .system]),
    .tests(
        "ServiceDatabase",
        ["NATS", "Postgres", "PostgresServer", "ServiceDatabase", .configuration, .coreMetrics, .lifecycle]
    ),
    .tests("Events", ["Events", "Postgres", "PostgresServer"]),
    .tests("ServiceKit", ["PostgresServer", .configuration, .coreMetrics, .httpClient, .lifecycle, .nioPosix]),
    .tests("Authentication", [.jwt, .crypto]),
    .tests("Districts", ["Districts"]),
    .tests("Subway", ["Subway"], exclude: ["Data"]),
    .tests("Profiles", ["Events", "Postgres", "Profiles"]),
    .tests("Clustering", ["Clustering"]),
    .tests("Payroll", ["Payroll"]),
    .tests("Sockets", ["Sockets", .hummingbirdCore, .nioEmbedded, .nioPosix]),
    .tests("Files", ["Files", "Postgres", "Sandbox", .crypto, .httpClient]),
    .tests("Sandbox", ["Districts", "Sandbox", "Subway", .configuration, .crypto, .jwt]),
    .tests("Backups", ["Backups", "Files", "Postgres", "PostgresServer", "Sandbox", "StackKit", .subprocess]),
    .tests(
        "Stack",
        ["AppClients", "Backups", "Moves", "Postgres", "PostgresServer", "Stack", "StackKit", .subprocess, .system]
    ),
    .tests("Bench", ["Bench", "PostgresServer", "StackKit"]),
    .tests("Proof", ["AppClients", "Payroll", "PostgresServer", "Proof", "StackKit"]),
    .tests("Conformance", ["AppClients", "Conformance"]),
    .tests("YAMLToJSON", ["YAMLToJSON", .yams]),
    .tests(
        "Gateway",
        [
            "CZlib", "Gateway", "PostgresServer", "StackKit", "YAMLToJSON", .configuration, .coreMetrics, .crypto,
            .lifecycle, .nioEmbedded, .nioHPACK, .nioPosix, .nioSSL,
        ]
    ),
    .serviceTests("Auth", ["Files", .crypto, .lifecycle]),
    .serviceTests("Seats", ["NATS", "ServiceDatabase", "Sockets", "Subway", .nioHTTP1]),
    .serviceTests("Workforce", ["Payroll"]),
    .serviceTests("Estate", ["Clustering", "Files", "Profiles", .crypto]),
    .serviceTests("Community", ["Files", "Profiles", .crypto]),
    .serviceTests("Chat", ["Files", "NATS", "Profiles", "ServiceDatabase", "Sockets", .lifecycle, .nioHTTP1]),
    .serviceTests("Payments", ["Profiles", .configuration, .nioHTTP1]),
    .serviceTests("Notifications", ["Profiles", .crypto, .cryptoExtras, .nioEmbedded, .nioHTTP1]),
    .serviceTests("Console", []),
    .tests(
        "Platform",
        [
            "AppClients", "Auth", "Bench", "Chat", "Community", "Conformance", "Console", "Estate", "Files", "Gateway",
            "Notifications", "Payments", "Postgres", "PostgresServer", "Sandbox", "Seats", "Sockets", "StackKit",
            "Workforce", .configuration, .crypto, .lifecycle, .nioHTTP1, .subprocess, .system, .yams,
        ]
    ),
    .tests("Architecture", ["YAMLToJSON", .yams]),
]
let all = [dependencies] + shared + tools + servers + suites
let targets = wanted.isEmpty ? all : all.reached(from: Set(wanted))
let package = Package(
    name: "madang",
    platforms: [.macOS(.v15)],
    products: targets.map(\.name).filter((programs + ["Bench"]).contains).map {
        .executable(name: $0.lowercased(), targets: [$0])
    },
    dependencies: packages,
    targets: targets
)
// MARK: - Products of the packages this one stands on
extension Target.Dependency {
    static var arguments: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }
    static var asn1: Self { .product(name: "SwiftASN1", package: "swift-asn1") }
    static var certificates: Self { .product(name: "X509", package: "swift-certificates") }
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
    static var nioHPACK: Self { .product(name: "NIOHPACK", package: "swift-nio-http2") }
    static var nioHTTP1: Self { .product(name: "NIOHTTP1", package: "swift-nio") }
    static var nioHTTP2: Self { .product(name: "NIOHTTP2", package: "swift-nio-http2") }
    static var nioHTTPTypes: Self { .product(name: "NIOHTTPTypes", package: "swift-nio-extras") }
    static var nioHTTPTypesHTTP1: Self { .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras") }
    static var nioPosix: Self { .product(name: "NIOPosix", package: "swift-nio") }
    static var nioSSL: Self { .product(name: "NIOSSL", package: "swift-nio-ssl") }
    static var nioTLS: Self { .product(name: "NIOTLS", package: "swift-nio") }
    static var subprocess: Self { .product(name: "Subprocess", package: "swift-subprocess") }
    static var system: Self { .product(name: "SystemPackage", package: "swift-system") }
    static var tracing: Self { .product(name: "Tracing", package: "swift-distributed-tracing") }
    static var unixSignals: Self { .product(name: "UnixSignals", package: "swift-service-lifecycle") }
    static var yams: Self { .product(name: "Yams", package: "Yams") }
}
extension [Target] {
    /// Those with the names, and what they depend on.
    func reached(from names: Set<String>) -> [Target] {
        let reached = filter { names.contains($0.name) }
        let next = reached.flatMap(\.needed)
        return names.isSuperset(of: next) ? reached : self.reached(from: names.union(next))
    }
}

extension Target {
    /// The names of the targets of this package that it depends on.
    var needed: [String] {
        let plugins = (plugins ?? []).map { if case .plugin(let name, _) = $0 { name } else { "" } }
        return plugins + dependencies.map { if case .byNameItem(let name, _) = $0 { name } else { "" } }
    }

    /// - Parameter resources: whether it has files beside its Swift code, which go into the binary.
    static func library(
        _ name: String,
        path: String? = nil,
        _ dependencies: [Dependency],
        resources: Bool = false,
        exclude: [String] = [],
        sources: [String]? = nil
    ) -> Target {
        .target(
            name: name,
            dependencies: dependencies,
            path: path ?? "shared/\(name)",
            exclude: exclude,
            sources: sources,
            swiftSettings: strict,
            plugins: resources ? ["EmbedResources"] : []
        )
    }

    static func program(
        _ name: String,
        path: String,
        _ dependencies: [Dependency],
        resources: Bool = false,
        exclude: [String] = []
    ) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: path,
            exclude: exclude,
            swiftSettings: strict,
            plugins: resources ? ["EmbedResources"] : []
        )
    }

    /// A service: an executable over the shared libraries, with its migrations and its API document in the binary.
    static func service(_ name: String, _ dependencies: [Dependency], exclude: [String] = []) -> Target {
        let kit: [Dependency] = [
            "Apps", "Authentication", "Contracts", "Events", "Postgres", "ServiceDatabase", "ServiceKit", "Values",
            .hummingbird, .logging, .lifecycle, .httpTypes, .nioCore, .tracing,
        ]
        return .program(name, path: "services/\(name)", kit + dependencies, resources: true, exclude: exclude)
    }

    /// The tests of a service, which run it on a database of their own.
    static func serviceTests(_ subject: String, _ dependencies: [Dependency]) -> Target {
        let kit: [Dependency] = ["Events", "Postgres", "PostgresServer", "Sandbox", .httpClient]
        return .tests(subject, [.init(stringLiteral: subject)] + kit + dependencies)
    }

    static func tests(_ subject: String, _ dependencies: [Dependency], exclude: [String] = []) -> Target {
        let kit: [Dependency] = [
            "Apps", "Authentication", "Contracts", "ServiceKit", "TestKit", "Values", .httpTypes, .hummingbird,
            .hummingbirdTesting, .logging, .nioCore, .tracing,
        ]
        return .testTarget(
            name: "\(subject)Tests",
            dependencies: kit + dependencies,
            path: "Tests/\(subject)Tests",
            exclude: exclude,
            swiftSettings: strict
        )
    }
}
