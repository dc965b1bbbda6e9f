// PostgresServer
