// ServiceHost
