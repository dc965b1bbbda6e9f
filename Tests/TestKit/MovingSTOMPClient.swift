package import Authentication
package import Contracts

/// A client of STOMP whose socket the gateway moves between copies of a service.
package struct MovingSTOMPClient: Sendable {
    package private(set) var socket: MovableSocket
    /// The frames that have come, oldest first, and were not taken.
    private var frames: [String] = []
    /// The code of the Close frame that has come.
    package private(set) var closeCode: UInt16?

    /// Connects, and waits for CONNECTED.
    ///
    /// - Parameter headers: The headers of CONNECT, each with a line end.
    package static func connect(
        at port: Int,
        of service: ServiceName,
        _ path: String,
        as identity: InternalIdentity,
        headers: String = ""
    ) async throws -> MovingSTOMPClient {
        var client = MovingSTOMPClient(
            socket: try await MovableSocket.open(at: port, of: service, path, as: identity)
        )
        try await client.send("CONNECT\naccept-version:1.2\n\(headers)\n\0")
        _ = await client.next("CONNECTED")
        return client
    }

    /// - Parameter socket: One without CONNECT.
    package init(socket: MovableSocket) { self.socket = socket }

    // MARK: Frames

    package func send(_ frames: String) async throws { try await socket.send(frames) }

    /// Subscribes, and waits for the confirmation; the frames before it remain.
    ///
    /// - Parameter headers: Further headers, each with a line end.
    package mutating func subscribe(_ destination: String, headers: String = "") async throws {
        try await ask("SUBSCRIBE\nid:\(destination)\ndestination:\(destination)\n\(headers)", "\0", as: destination)
    }

    package mutating func send(_ body: String, to destination: String, headers: String = "") async throws {
        try await ask("SEND\ndestination:\(destination)\n\(headers)", "\(body)\0", as: "\(destination) \(body)")
    }

    private mutating func ask(_ head: String, _ end: String, as receipt: String) async throws {
        try await send("\(head)receipt:\(receipt)\n\n\(end)")
        var seen: [String] = []
        while let frame = await next() {
            if frame.hasPrefix("RECEIPT\nreceipt-id:\(receipt)\n") {
                frames = seen + frames
                return
            }
            seen.append(frame)
        }
        throw MovableSocket.Ended(frames: [])
    }

    /// The next frame except for heart-beats; nil at the end of the connection.
    package mutating func next() async -> String? {
        while true {
            if !frames.isEmpty { return frames.removeFirst() }
            guard let frame = await socket.read() else { return nil }
            take(frame)
        }
    }

    /// The next frame with a prefix; those before it are dropped.
    package mutating func next(_ prefix: String) async -> String? {
        while let frame = await next() {
            if frame.hasPrefix(prefix) { return frame }
        }
        return nil
    }

    /// The body of the next message to a destination; messages to others remain.
    package mutating func body(from destination: String) async -> String? {
        var others: [String] = []
        defer { frames = others + frames }
        while let frame = await next() {
            guard frame.hasPrefix("MESSAGE\ndestination:\(destination)\n") else {
                others.append(frame)
                continue
            }
            return Self.body(of: frame)
        }
        return nil
    }

    /// The bodies of the messages to a destination that have come and were not taken.
    package func waiting(from destination: String) -> [String] {
        frames.filter { $0.hasPrefix("MESSAGE\ndestination:\(destination)\n") }.map { Self.body(of: $0) }
    }

    package static func body(of frame: String) -> String {
        guard let end = frame.firstRange(of: "\n\n") else { return "" }
        return String(frame[end.upperBound...].dropLast())
    }

    private mutating func take(_ frame: MovableSocket.Frame) {
        switch frame.opcode {
        case 0x1 where frame.text != "\n": frames.append(frame.text)
        case 0x8 where frame.payload.count >= 2:
            closeCode = UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
        default: break
        }
    }

    // MARK: Moving

    /// Leaves a copy that ends.
    package mutating func leave() async throws -> MovableSocket.Frame {
        let (before, state) = try await socket.leave()
        for frame in before { take(frame) }
        await socket.connection.close()
        return state
    }

    package mutating func arrive(at port: Int, with state: MovableSocket.Frame) async throws {
        socket = try await socket.arrive(at: port, with: state)
    }

    /// Moves from a copy, which ends, to another one.
    package mutating func move<Value>(from copy: RunningCopy<Value>, to port: Int) async throws {
        copy.beginEnd()
        let state = try await leave()
        try await arrive(at: port, with: state)
        try await copy.end()
    }
}
