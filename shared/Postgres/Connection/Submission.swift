/// Statements on their way to the server, with the promise of their answers. They form one implicit transaction.
final class Submission: LoopTask {
    let statements: Few<SQL>
    let answers = Promise<Few<PostgresResult>>()
    private let destination: any Destination

    /// Where statements can be submitted.
    protocol Destination: AnyObject, Sendable {
        @PostgresLoop func submit(_ submission: Submission)
    }

    init(_ statements: Few<SQL>, to destination: some Destination) {
        self.statements = statements
        self.destination = destination
    }

    @PostgresLoop
    func run() {
        destination.submit(self)
    }

    func fail(_ error: PostgresError) {
        if error.kind == .refused, case .one(let sql) = statements {
            answers.settle(.failure(error.about(sql)))
        } else {
            answers.settle(.failure(error))
        }
    }
}
