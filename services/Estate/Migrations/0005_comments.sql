-- What people say of listings, and what others answer to that. An answer has no answers.
CREATE TABLE comments (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT comments_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT comments_public_id_key UNIQUE
        CONSTRAINT comments_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    listing_id bigint NOT NULL CONSTRAINT comments_listing_id_fkey REFERENCES listings ON DELETE CASCADE,
    -- What it answers; NULL for what answers nothing.
    parent_id bigint CONSTRAINT comments_parent_id_fkey REFERENCES comments ON DELETE CASCADE,
    is_reply boolean NOT NULL GENERATED ALWAYS AS (parent_id IS NOT NULL) STORED,
    author_id bigint NOT NULL CONSTRAINT comments_author_id_fkey REFERENCES people,
    content text NOT NULL,
    -- What the phone calls the request that made it, so that it is made once.
    request_key text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT comments_request_key_key UNIQUE (author_id, request_key)
);
CREATE INDEX comments_listing_id_idx ON comments (listing_id, is_reply, created_at DESC, id DESC);
CREATE INDEX comments_parent_id_idx ON comments (parent_id, created_at, id);
