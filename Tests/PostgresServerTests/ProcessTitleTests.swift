import Testing

@testable import PostgresServer

@Suite struct ProcessTitleTests {
    private func process(_ title: String) -> PostgresServer.Process { PostgresServer.Process(id: 1, title: title) }

    @Test(
        arguments: [
            "postgres: chat madang [local] idle", "postgres: postgres madang 10.213.1.2(41234) INSERT waiting  ",
        ]
    )
    func processOfAClient_isABackend(title: String) {
        #expect(process(title).isBackend && !process(title).isCheckpointer)
    }

    @Test(
        arguments: [
            "postgres: checkpointer ", "postgres: background writer ", "postgres: walwriter ",
            "postgres: autovacuum launcher ", "postgres: autovacuum worker madang ",
            "postgres: logical replication launcher ", "postgres: logical replication worker for subscription 16393 ",
            "postgres: walsender host-2 10.213.1.2(41234) streaming 0/3000148", "postgres: parallel worker for PID 12 ",
            "/usr/lib/postgresql/15/bin/postgres -D /tmp/data ", "",
        ]
    )
    func otherProcess_isNone(title: String) {
        #expect(!process(title).isBackend)
        #expect(process(title).isCheckpointer == title.hasPrefix("postgres: checkpointer"))
    }
}
