-- Without a primary key, deleted rows are identified by all of their columns when the schema moves to another server.
ALTER TABLE failed_lookups REPLICA IDENTITY FULL;
