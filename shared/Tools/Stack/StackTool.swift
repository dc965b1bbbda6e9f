import ArgumentParser
import Contracts

/// The command that runs Madang on one machine without containers: its processes, their PostgreSQL and the
/// demonstration.
///
/// All files are below `.local/` of the working directory: the database in `postgres`, process ids in `run`, output in
/// `logs`. Errors are one sentence on standard error and a non-zero exit code.
@main struct StackTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stack",
        abstract: "Runs Madang on this machine: PostgreSQL, the sandbox, every service and the gateway.",
        discussion: """
            Examples:
              stack up                    start everything, wait, seed
              stack status                what runs, how healthy, how large
              stack logs auth --follow    the log of the auth service
              stack console               print an address that signs in to the console
              stack demo                  play one scenario per app
              stack refund imp_1 --reason "고객 요청"
                                          refund a payment
              stack compare               compare the payments of a week with PortOne's
              stack announce moup "점검 안내"
                                          send an announcement to an app's users
              stack events list           what waits between services, and why
              stack backup                back the database and the files up
              stack restore --to 2026-11-25T12:34:56+09:00
                                          restore them as they were then
              stack upgrade               replace all by the build of now; no request notices
              stack move chat --to postgres://admin:secret@10.0.0.7/madang
                                          move a service's schema to another server while it is used
              stack cluster up            several hosts on this machine, as network namespaces
              stack prove --minutes 1     let everything fail while people use it, and check what they were promised
              stack load --people 2000    find how many people this machine serves
              stack conform               ask every call of the apps' contracts, and compare the answers
              stack bench sql             measure beside pgbench and other yardsticks
              stack certificate           how phones and simulators trust https://127.0.0.1:8443
              stack init                  write .env, the settings of production
              stack keys add              replace the keys of internal calls, a step at a time
              GATEWAY_PORT=9080 stack up  listen elsewhere
              stack down                  stop everything
            """,
        version: ProductVersion.current,
        subcommands: [
            InitCommand.self, KeysCommand.self, UpCommand.self, UpgradeCommand.self, MoveCommand.self,
            CertificateCommand.self, ConsoleCommand.self, DownCommand.self, StatusCommand.self, LogsCommand.self,
            SeedCommand.self, SuperviseCommand.self, DemoCommand.self, ReadyCommand.self, RefundCommand.self,
            CompareCommand.self, AnnounceCommand.self, EventsCommand.self, ReportsCommand.self, BackupCommand.self,
            RestoreCommand.self, ArchiveCommand.self, ClusterCommand.self, ProveCommand.self,
            LoadCommand.self, BenchCommand.self, ConformCommand.self,
        ]
    )
}
