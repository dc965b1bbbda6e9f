@main struct XGatewayService { static func main() {} }
