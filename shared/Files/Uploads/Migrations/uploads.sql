-- Files that people have sent. The bytes lie in the file store, under their hash; the same bytes are stored once.
CREATE TABLE uploads (
    -- The last component of the path that apps know: random, so that it cannot be guessed, with a truthful ending.
    name text CONSTRAINT uploads_pkey PRIMARY KEY
        CONSTRAINT uploads_name_check CHECK (name ~ '^[0-9a-f]{32}\.[a-z0-9]{2,4}$'),
    account_id bigint NOT NULL,
    -- SHA-256, in hexadecimal.
    file_id text NOT NULL CONSTRAINT uploads_file_id_check CHECK (file_id ~ '^[0-9a-f]{64}$'),
    type text NOT NULL,
    size bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Until when it is served; null while something refers to it. Collected afterwards.
    expires_at timestamptz DEFAULT now() + interval '1 day',
    -- When collecting it failed.
    failed_at timestamptz
);
CREATE INDEX uploads_account_id_idx ON uploads (account_id);
CREATE INDEX uploads_file_id_idx ON uploads (file_id);
CREATE INDEX uploads_expires_at_idx ON uploads (expires_at) WHERE expires_at IS NOT NULL;
