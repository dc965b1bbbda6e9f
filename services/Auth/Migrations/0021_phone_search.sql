CREATE INDEX CONCURRENTLY accounts_phone_idx ON accounts (phone) WHERE phone IS NOT NULL;
