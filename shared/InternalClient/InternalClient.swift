// InternalClient
