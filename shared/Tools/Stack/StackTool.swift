import ArgumentParser

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
              stack logs auth --follow    what the auth service says
              stack demo                  one scenario per app, played
              stack refund imp_1 --reason "고객 요청"
                                          give somebody's money back
              stack compare               all payments of a week beside PortOne's
              stack announce moup "점검 안내"
                                          tell everybody in an app
              GATEWAY_PORT=9080 stack up  listen elsewhere
              stack down                  stop everything
            """,
        subcommands: [
            UpCommand.self, DownCommand.self, StatusCommand.self, LogsCommand.self, SeedCommand.self,
            DemoCommand.self, ReadyCommand.self, RefundCommand.self, CompareCommand.self,
            AnnounceCommand.self,
        ]
    )
}
