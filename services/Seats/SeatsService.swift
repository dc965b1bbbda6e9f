@main struct XSeatsService { static func main() {} }
