import FoundationEssentials

/// The Unix socket at which a service listens beside its port, for a gateway on the same host: reading and writing there take a
/// third of the processor's time that they take over TCP.
package enum ServiceSocket {
    /// The longest path that an address has room for (unix(7)), in bytes.
    private static let longestPath = 107

    /// The path of a service's socket.
    ///
    /// - Parameter folder: `SERVICE_SOCKETS`; empty for no sockets.
    /// - Returns: nil without a folder, without a fixed port, or if the path is too long: there is only the port then.
    package static func path(of service: String, port: Int, in folder: String) -> String? {
        guard !folder.isEmpty, port > 0 else { return nil }
        let path = "\(folder)/\(service)-\(port).socket"
        return path.utf8.count <= longestPath ? path : nil
    }
}

extension Settings {
    /// `SERVICE_SOCKETS`: the folder of the services' Unix sockets; empty for none.
    package mutating func serviceSockets() -> String {
        value(
            "SERVICE_SOCKETS",
            default: "",
            "an existing folder, or empty",
            "folder of Unix sockets by which the gateway calls services on its host; only their account may write it"
        ) { folder in
            var isFolder = false
            let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
            return folder.isEmpty || exists && isFolder ? folder : nil
        }
    }
}
