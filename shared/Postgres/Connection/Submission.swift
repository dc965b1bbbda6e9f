/// Submitted statements with the promise of their results. They form one implicit transaction.
final class Submission: LoopTask {
    let statements: SmallVector<SQL>
    let answers = Promise<SmallVector<PostgresResult>>()
    let span: StatementSpan?
    private let destination: any Destination

    /// A target for submissions.
    protocol Destination: AnyObject, Sendable {
        @PostgresLoop func submit(_ submission: Submission)
    }

    init(_ statements: SmallVector<SQL>, to destination: some Destination, _ span: StatementSpan? = nil) {
        self.statements = statements
        self.span = span
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
