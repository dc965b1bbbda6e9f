-- Anlaka: who has attended the event on which day of Korea's calendar.
CREATE TABLE attendances (
    account_id bigint NOT NULL CONSTRAINT attendances_account_id_fkey REFERENCES people,
    day date NOT NULL,
    CONSTRAINT attendances_pkey PRIMARY KEY (account_id, day)
);

-- Pages of the event that have not been used. Each carries a token of which only the hash is kept.
CREATE TABLE attendance_pages (
    token_hash bytea CONSTRAINT attendance_pages_pkey PRIMARY KEY,
    account_id bigint NOT NULL CONSTRAINT attendance_pages_account_id_fkey REFERENCES people,
    expires_at timestamptz NOT NULL
);
CREATE INDEX attendance_pages_account_id_idx ON attendance_pages (account_id);
CREATE INDEX attendance_pages_expires_at_idx ON attendance_pages (expires_at);
