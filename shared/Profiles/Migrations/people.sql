-- Whoever auth has told of. Who has left keeps a row without name and picture, so that nothing that arrives late makes them
-- anew.
CREATE TABLE people (
    account_id bigint CONSTRAINT people_pkey PRIMARY KEY,
    app text NOT NULL,
    -- What the app calls them.
    public_id text NOT NULL CONSTRAINT people_public_id_key UNIQUE
        CONSTRAINT people_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    nickname text NOT NULL,
    image text,
    introduction text,
    -- The key of With Suhyeon's region.
    region text,
    withdrawn_at timestamptz
);
