import Testing

@testable import SocketIO

@Suite struct PacketTests {}
