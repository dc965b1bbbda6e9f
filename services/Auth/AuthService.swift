@main struct XAuthService { static func main() {} }
