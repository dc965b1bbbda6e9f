@main struct XStack { static func main() {} }
