import PostgresServer
import Testing

@Suite struct FreePortTests {
    @Test func ports_areDistinctAndUnprivileged() throws {
        let ports = try FreePort.find(50)
        #expect(Set(ports).count == 50)
        #expect(ports.allSatisfy { (1024..<32_768).contains($0) })
    }
}
