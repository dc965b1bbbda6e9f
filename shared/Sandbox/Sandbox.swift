@main struct XSandbox { static func main() {} }
