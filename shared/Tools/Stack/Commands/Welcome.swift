import AppClients
import StackKit
import Values

/// The message after a successful `up`: addresses, and a first request that works as printed.
struct Welcome {
    let programs: Programs
    let took: Duration
    /// That signs in once.
    let console: String

    var text: String {
        let seconds = Figure.text(took / .seconds(1))
        let account = Seed.account
        return """
            Madang is up at \(programs.gateway.url) and \(secureURL) (\(seconds) s)

            A first request, the sign-in of the real-estate app:

              curl \(programs.gateway.url)/v1/users/login \\
                -H 'SeSACKey: \(AppKey.anlaka)' -H 'Content-Type: application/json' \\
                -d '{"email":"\(account.email)","password":"\(account.password)"}'

            The console shows what happens, and why; this address signs in once (another one: stack console)

              \(console)

            All calls, with examples and a form that sends them: \(programs.gateway.url)/docs
            Phones and simulators trust the second address after: \(Executables.folder)/stack certificate
            Then: make demo · make status · make logs · make down
            """
    }

    private var secureURL: String { programs.gateway.tlsURL ?? "" }
}
