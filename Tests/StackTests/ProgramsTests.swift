import Contracts
import FoundationEssentials
import Testing

@testable import Stack
@testable import StackKit

@Suite struct ProgramsTests {
    @Test func ports_areDistinct() throws {
        let programs = try Programs(environment: [:])
        let numbers = programs.all.flatMap(\.ports).map(\.number)
        let variables = programs.all.flatMap(\.ports).map(\.variable)
        #expect(Set(numbers).count == numbers.count)
        #expect(Set(variables).count == variables.count)
        #expect(Set(programs.all.map(\.name)).count == programs.all.count)
    }

    @Test func everyProgram_isListed() throws {
        let manifest = try String(contentsOfFile: Self.root + "Package.swift", encoding: .utf8)
        let list = try #require(manifest.firstMatch(of: /let programs = \[([^\]]*)\]/)).1
        let programs = list.matches(of: /"([A-Za-z]+)"/).map { $0.1.lowercased() }
        let names = try Programs(environment: [:]).all.map(\.name)
        #expect(!programs.isEmpty)
        #expect(Set(programs).subtracting(["stack"]) == Set(names))
    }

    @Test func everyService_hasSchema() throws {
        let services = try Programs(environment: [:]).all.filter { $0.role == .service }.map(\.name)
        #expect(Set(services).isSubset(of: ServiceName.allCases.map(\.rawValue)))
    }

    @Test func variables_changePorts() throws {
        let programs = try Programs(environment: ["AUTH_PORT": "9081", "GATEWAY_ADMIN_PORT": "9079"])
        let auth = try #require(programs.all.first { $0.name == "auth" })
        #expect(auth.url == "http://127.0.0.1:9081")
        #expect(auth.readyURL == "http://127.0.0.1:9081/readyz")
        #expect(programs.gateway.url == "http://127.0.0.1:8080")
        #expect(programs.gateway.readyURL == "http://127.0.0.1:9079/readyz")
    }

    @Test func secondPort_followsTheFirst_unlessSet() throws {
        let programs = try Programs(environment: [
            "SEATS_PORT": "9082", "AUTH_SECOND_PORT": "9999", "ESTATE_PORT": "65500",
        ])
        let ports = programs.services.map { [$0.name, "\($0.port.number)", "\($0.otherPort?.number ?? 0)"] }
        for expected in [
            ["seats", "9082", "9182"], ["auth", "8081", "9999"], ["estate", "65500", "65400"],
            ["chat", "8086", "8186"],
        ] { #expect(ports.contains(expected)) }
        #expect(programs.gateway.otherPort == nil && programs.sandbox.otherPort == nil)
        #expect(throws: StackError("AUTH_SECOND_PORT and SEATS_PORT are both 8181; every program needs its own")) {
            try Programs(environment: ["SEATS_PORT": "8181"])
        }
    }

    @Test func otherPort_isServedWithTheSameAddressesInLists() throws {
        let programs = try Programs(environment: [:])
        let chat = try #require(programs.services.first { $0.name == "chat" })
        let next = chat.onOtherPort
        #expect(next.port.number == 8186 && next.otherPort == chat.port)
        #expect(next.readyURL == "http://127.0.0.1:8186/readyz")
        #expect(Set(next.urls.split(separator: ",")) == Set(chat.urls.split(separator: ",")))
        let environment = programs.environment(of: next, inherited: [:]) { $0 }
        #expect(environment["PORT"] == "8186" && environment["CHAT_URL"] == chat.urls)
        #expect(programs.gateway.onOtherPort.ports == programs.gateway.ports)
    }

    /// A new copy of a service may call what only new copies of others have.
    @Test func upgrade_hasCalledServicesBeforeTheirCallers() throws {
        let order = try Programs(environment: [:]).upgradable.map(\.name)
        #expect(order.first == "console" && order.last == "gateway" && order.count == ServiceName.allCases.count + 1)
        for (called, caller) in [
            ("console", "auth"), ("auth", "notifications"), ("notifications", "community"), ("community", "chat"),
            ("community", "estate"), ("estate", "payments"), ("notifications", "seats"),
            ("notifications", "workforce"),
        ] {
            let places = try [called, caller].map { try #require(order.firstIndex(of: $0)) }
            #expect(places[0] < places[1], "\(called), \(caller)")
        }
    }

    @Test(arguments: ["", "x", "0", "65536", "-1", "80 80"])
    func invalidPort_isRefused(text: String) {
        #expect(throws: StackError("AUTH_PORT is \"\(text)\"; a port is a number from 1 to 65535")) {
            try Programs(environment: ["AUTH_PORT": text])
        }
    }

    @Test func duplicatePort_isRefused() {
        #expect(throws: StackError("AUTH_PORT and SEATS_PORT are both 9000; every program needs its own")) {
            try Programs(environment: ["AUTH_PORT": "9000", "SEATS_PORT": "9000"])
        }
    }

    @Test func environment_namesURLsOfPrograms() throws {
        let programs = try Programs(environment: ["SEATS_PORT": "9082"])
        let inherited = ["PORT": "1", "HOST": "0.0.0.0", "DATABASE_URL": "postgres://elsewhere", "LOG_LEVEL": "debug"]
        let auth = try #require(programs.all.first { $0.name == "auth" })
        let environment = programs.environment(of: auth, inherited: inherited) { "postgres://\($0)@/madang" }
        #expect(environment["PORT"] == "8081")
        #expect(environment["HOST"] == "127.0.0.1")
        #expect(environment["DATABASE_URL"] == "postgres://auth@/madang")
        #expect(environment["SEATS_URL"] == "http://127.0.0.1:9082,http://127.0.0.1:9182")
        #expect(environment["CHAT_URL"] == "http://127.0.0.1:8086,http://127.0.0.1:8186")
        #expect(environment["KAKAO_URL"] == "http://127.0.0.1:8090/kakao")
        #expect(environment["KAKAO_LOCAL_URL"] == "http://127.0.0.1:8090/kakao")
        #expect(environment["SEOUL_URL"] == "http://127.0.0.1:8090/seoul")
        #expect(environment["LOG_LEVEL"] == "debug")
        #expect(environment["PUBLIC_URL"] == "http://127.0.0.1:8080")
        let gateway = programs.environment(of: programs.gateway, inherited: [:]) { $0 }
        #expect(gateway["ADMIN_PORT"] == "8079")
        #expect(gateway["DATABASE_URL"] == nil)
    }

    @Test func environment_hasOwnKeyOnly() throws {
        let programs = try Programs(environment: [:])
        let keys = [
            "AUTH_INTERNAL_KEY": "a", "STACK_INTERNAL_KEY": "s", "INTERNAL_KEY": "i", "INTERNAL_PUBLIC_KEYS": "p",
        ]
        let auth = try #require(programs.all.first { $0.name == "auth" })
        for (program, key) in [(auth, "a"), (programs.gateway, "")] {
            let environment = programs.environment(of: program, inherited: keys) { $0 }
            #expect(
                environment.filter { $0.key.contains("INTERNAL_") } == [
                    "INTERNAL_KEY": key, "INTERNAL_PUBLIC_KEYS": "p",
                ]
            )
        }
    }

    @Test func inheritedProviderURL_takesPrecedence() throws {
        let programs = try Programs(environment: [:])
        let inherited = ["KAKAO_URL": "https://kapi.kakao.com"]
        let environment = programs.environment(of: programs.gateway, inherited: inherited) { $0 }
        #expect(environment["KAKAO_URL"] == "https://kapi.kakao.com")
        #expect(environment["APPLE_URL"] == "http://127.0.0.1:8090/apple")
    }

    /// As on the first host of a cluster.
    @Test func emptySandboxURL_isTheOwnSandbox() throws {
        let inherited = ["SANDBOX_URL": ""]
        let programs = try Programs(environment: inherited)
        let console = try #require(programs.all.first { $0.name == "console" })
        let environment = programs.environment(of: console, inherited: inherited) { $0 }
        #expect(environment["SANDBOX_URL"] == "http://127.0.0.1:8090")
        #expect(environment["APPLE_URL"] == "http://127.0.0.1:8090/apple")
    }

    @Test func programsOnSeveralMachines_knowEachOther() throws {
        let shared = [
            "SANDBOX_URL": "http://10.0.0.1:8090", "SERVICES_ADDRESS": "0.0.0.0", "PEER_HOSTS": "10.0.0.1,10.0.0.3",
        ]
        let programs = try Programs(environment: shared)
        #expect(!programs.all.contains { $0.role == .sandbox })
        let chat = try #require(programs.all.first { $0.name == "chat" })
        let environment = programs.environment(of: chat, inherited: shared) { $0 }
        #expect(environment["HOST"] == "0.0.0.0")
        #expect(environment["KAKAO_URL"] == "http://10.0.0.1:8090/kakao")
        let hosts = ["127.0.0.1", "10.0.0.1", "10.0.0.3"]
        let urls = hosts.flatMap { ["http://\($0):8081", "http://\($0):8181"] }.joined(separator: ",")
        #expect(environment["AUTH_URL"] == urls)
        let gateway = programs.environment(of: programs.gateway, inherited: shared) { $0 }
        #expect(gateway["HOST"] == "127.0.0.1" && gateway["AUTH_URL"] == urls)
    }

    /// The folder of the package.
    static let root = #filePath.replacing("Tests/StackTests/ProgramsTests.swift", with: "")
}
