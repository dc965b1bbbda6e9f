import Testing

/// The rules of the architecture: which module may import which, and where code belongs.
@Suite struct LayerTests {
    @Test func sourceTree_isFound() {
        #expect(SourceTree.production.count > 100)
        #expect(SourceTree.services.contains { $0.folders.contains("Store") })
    }

    @Test func sql_isInStoresOnly() {
        let words = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "UPDATE ", "CREATE TABLE "]
        for file in SourceTree.services where !file.folders.contains("Store") {
            for line in file.lines where !line.contains("//") {
                #expect(!words.contains { line.contains($0) }, "\(file): \(line)")
            }
        }
    }

    /// A transaction with NOTIFY commits under a lock of the whole server; `PostgresTransaction.announce` sends after the
    /// commit.
    @Test func notify_isInAnnouncerOnly() {
        let files = SourceTree.production + SourceTree.files(".sql", in: ["shared", "services"])
        let allowed: Set<Substring> = ["NotifyAnnouncer.swift", "AnnounceBench.swift", "ChatNATSBench.swift"]
        for file in files where !allowed.contains(file.name) {
            #expect(!file.text.contains("pg_notify"), "\(file)")
            #expect(file.text.firstMatch(of: /\bNOTIFY \w+[,;"]/) == nil, "\(file)")
        }
    }

    /// By default AsyncHTTPClient sends trace ids to every server, and records addresses with their queries.
    @Test func httpClients_haveNoTracer() {
        let files = SourceTree.production.filter { $0.imports.contains("AsyncHTTPClient") }
            .filter { file in !["shared/Tools/", "shared/Apps/"].contains { file.path.hasPrefix($0) } }
        #expect(files.count > 15)
        for file in files {
            let shared = file.text.firstMatch(of: /HTTPClient\.shared\b|(HTTPClient =|http:) \.shared\b/)
            #expect(shared == nil, "\(file)")
            guard file.text.contains("HTTPClient(eventLoopGroupProvider") else { continue }
            let untraced = ["tracing.tracer = nil", "InternalClient.connections"]
            #expect(untraced.contains { file.text.contains($0) }, "\(file)")
        }
    }

    @Test func domainAndStore_doNotImportHTTP() {
        let http: Set<Substring> = ["Hummingbird", "HTTPTypes", "NIOHTTP1", "Apps"]
        for file in SourceTree.services where file.folders.contains("Domain") || file.folders.contains("Store") {
            #expect(http.isDisjoint(with: file.imports), "\(file) imports \(http.intersection(file.imports))")
        }
    }

    @Test func routes_doNotImportPostgres() {
        for file in SourceTree.services where file.folders.contains("Routes") {
            #expect(!file.imports.contains("Postgres"), "\(file)")
        }
    }

    @Test func services_importOnlySharedLibraries() {
        let services = Set(SourceTree.services.compactMap { $0.folders.dropFirst().first })
        for file in SourceTree.production {
            let own = file.folders.first == "services" ? file.folders.dropFirst().first : nil
            let foreign = services.subtracting([own].compactMap { $0 }).intersection(file.imports)
            #expect(foreign.isEmpty, "\(file) imports \(foreign)")
        }
    }

    @Test func servicesAndGateway_doNotImportAppClients() {
        for file in SourceTree.production where ["services", "gateway"].contains(file.folders.first) {
            #expect(!file.imports.contains("AppClients"), "\(file)")
        }
    }

    @Test func services_haveTheSameFiles() {
        let services = Set(SourceTree.services.compactMap { $0.folders.dropFirst().first.map(String.init) })
        for service in services {
            let files = Set(SourceTree.services.filter { $0.path.hasPrefix("services/\(service)/") }.map(\.path))
            for room in [
                "\(service)Service.swift", "\(service)Service+build.swift", "\(service)Configuration.swift",
                "Routes/Routes.swift", "Store/Migrations.swift",
            ] {
                #expect(files.contains("services/\(service)/\(room)"), "\(service) lacks \(room)")
            }
        }
    }

    @Test func services_haveTheSameFolders() {
        let folders: Set<Substring> = [
            "Routes", "Domain", "Store", "Clients", "Jobs", "Live", "Events", "Migrations", "Resources",
        ]
        // Libraries of one service, modules of their own.
        let modules: Set<Substring> = ["Payroll", "Clustering"]
        for file in SourceTree.services {
            guard file.folders.count > 2 else { continue }
            #expect(
                folders.union(modules).contains(file.folders[2]),
                "\(file) is in a folder that other services do not have"
            )
        }
    }

    @Test func migrations_areListed() {
        for script in SourceTree.files(".sql", in: ["services"]) {
            let service = script.path.split(separator: "/")[1]
            let list = SourceTree.services.first { $0.path == "services/\(service)/Store/Migrations.swift" }
            let resource = "_\(script.name.dropFirst().dropLast(".sql".count))_sql"
            #expect(list?.text.contains("PackageResources.\(resource)") == true, "\(script) is not listed")
        }
    }
}
