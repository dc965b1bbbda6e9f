/// A banner of the home screen (Anlaka contract 2.3, call 25). The app needs at least two, and opens the page of a
/// tapped one.
struct Banner: Sendable, Equatable {
    var name: String
    /// File name in the image's path.
    var file: String
    /// PNG.
    var picture: [UInt8]
    /// Path of the page on the gateway.
    var page: String

    static let all = [
        Banner(
            name: "매일 출석하고 혜택 받기",
            file: "attendance.png",
            picture: PackageResources.attendance_png,
            page: "/event-application"
        ),
        Banner(
            name: "이번 달 출석 도장 보러 가기",
            file: "stamps.png",
            picture: PackageResources.stamps_png,
            page: "/event-application"
        ),
    ]
}
