-- Pictures that people have sent. The bytes lie in the file store, under their hash; the same bytes are stored once.
CREATE TABLE uploads (
    -- The last component of the path that apps know: random, so that it cannot be guessed, with a truthful ending.
    name text PRIMARY KEY CONSTRAINT uploads_name_check CHECK (name ~ '^[0-9a-f]{32}\.[a-z0-9]{2,4}$'),
    account_id bigint NOT NULL REFERENCES accounts,
    -- SHA-256, in hexadecimal.
    file_id text NOT NULL CONSTRAINT uploads_file_id_check CHECK (file_id ~ '^[0-9a-f]{64}$'),
    type text NOT NULL,
    size bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Until when it is served; null while a profile refers to it. Collected afterwards.
    expires_at timestamptz DEFAULT now() + interval '1 day',
    -- When collecting it failed.
    failed_at timestamptz
);
CREATE INDEX uploads_account_id_idx ON uploads (account_id);
CREATE INDEX uploads_file_id_idx ON uploads (file_id);
CREATE INDEX uploads_expires_at_idx ON uploads (expires_at) WHERE expires_at IS NOT NULL;

-- Seoul Culture's; as the app writes it.
ALTER TABLE accounts ADD COLUMN birth_day text;
ALTER TABLE accounts DROP CONSTRAINT accounts_withdrawn_check;
ALTER TABLE accounts ADD CONSTRAINT accounts_withdrawn_check CHECK (
    withdrawn_at IS NULL
    OR nickname = '' AND num_nonnulls(image, email, phone, introduction, birth_day, signed_in_at) = 0
);

-- Seoul Culture's client tells people apart by their names. Full-width and half-width letters count as the same.
CREATE UNIQUE INDEX accounts_culture_nickname_key ON accounts (lower(normalize(nickname, NFKC)))
    WHERE app = 'culture' AND withdrawn_at IS NULL;

-- The letters of a name and the pairs of letters that follow each other: what is part of a name has no others.
CREATE FUNCTION name_parts(name text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT substr(name, place, size)), '{}')
    FROM generate_series(1, length(name)) place, generate_series(1, 2) size
    WHERE place + size - 1 <= length(name)
$$;

-- People are searched by the beginning of their names, and then by any part.
CREATE INDEX accounts_nickname_idx ON accounts (app, (lower(nickname) COLLATE "C"), id) WHERE withdrawn_at IS NULL;
CREATE INDEX accounts_nickname_parts_idx ON accounts USING gin (name_parts(lower(nickname))) WITH (fastupdate = off)
    WHERE withdrawn_at IS NULL;
