import ArgumentParser
import StackKit

/// `stack certificate`: how clients trust the certificate of the local gateway.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Says how phones, simulators and programs trust the gateway's certificate.",
        discussion: """
            The gateway of `stack up` speaks HTTPS with a certificate of an authority that only this installation has, so that
            an app under App Transport Security can call it. A client trusts it once it is given the authority's certificate.
            In production the gateway is given a public certificate by TLS_CERTIFICATE and TLS_KEY.
            """
    )

    @OptionGroup var options: StackOptions

    func run() throws {
        let folder = options.folder
        try folder.prepare()
        let certificates = LocalCertificates(folder)
        try certificates.prepare()
        let url = try options.programs().gateway.tlsURL ?? ""
        Console.line(Self.text(authority: certificates.authority, url: url))
    }

    static func text(authority: String, url: String) -> String {
        """
        The authority's certificate is \(authority)
        It vouches for localhost, names that end in .local, and addresses.

        Simulator  xcrun simctl keychain booted add-root-cert \(authority)
        iPhone     Send it the file, by AirDrop or mail, and open it there. Then Settings, General:
                   VPN & Device Management, install the profile;
                   About, Certificate Trust Settings, switch Madang on.
        Command    curl --cacert \(authority) \(url)/healthz

        A phone reaches the gateway at the name or address of this machine in its network, after
          GATEWAY_ADDRESS=0.0.0.0 make up
        """
    }
}
