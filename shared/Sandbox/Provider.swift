import Hummingbird
import ServiceLifecycle

/// One outside system that the sandbox plays.
protocol Provider: Sendable {
    /// The prefix of its paths, and its name in `/_control`.
    var name: String { get }

    /// Its own API, as its documentation has it.
    func addRoutes(to group: RouterGroup<SandboxContext>)

    /// Where its levers are, below `/_control`; its name unless it says otherwise, right there when it is empty.
    var controls: String { get }

    /// Bytes that a request may have; of more than a megabyte the recorded calls show nothing.
    var bodyLimit: Int { get }

    /// What a person would do there, below `/_control/CONTROLS`.
    func addControls(to group: RouterGroup<SandboxContext>)

    /// What it does by itself, as long as the sandbox runs; nothing unless it says otherwise.
    var services: [any Service] { get }

    /// Its answer when it does not do what it is asked, in its own form.
    ///
    /// - Parameter path: what it was asked, without its prefix.
    func refusal(_ status: HTTPResponse.Status, at path: String) -> Response

    /// Its answer where none of its routes is: a refusal, unless it has paths that begin with a parameter, which no router
    /// tells from others.
    func answerElsewhere(_ request: Request) throws -> Response
}

extension Provider {
    var controls: String { name }
    var services: [any Service] { [] }

    func answerElsewhere(_ request: Request) throws -> Response { refusal(.notFound, at: path(of: request)) }
    var bodyLimit: Int { 1 << 20 }

    /// What a request asks for, as the real one would see it.
    func path(of request: Request) -> String {
        String(request.uri.path.dropFirst(name.count + 1))
    }
}
