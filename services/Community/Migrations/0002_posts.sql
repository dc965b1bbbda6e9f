-- What people write: Anlaka's posts of a neighbourhood, Seoul Culture's reviews.
CREATE TABLE posts (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT posts_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT posts_public_id_key UNIQUE
        CONSTRAINT posts_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    app text NOT NULL,
    author_id bigint NOT NULL CONSTRAINT posts_author_id_fkey REFERENCES people,
    -- What the phone calls the request that made it, so that it is made once.
    request_key text,
    -- Anlaka's category, Seoul Culture's product id.
    category text,
    title text,
    content text,
    -- Seoul Culture's content1 … content5, as far as there are any.
    notes jsonb NOT NULL DEFAULT '{}',
    -- Won: what is asked for it.
    price bigint CONSTRAINT posts_price_check CHECK (price >= 0),
    -- The names of uploads of the author.
    files text[] NOT NULL DEFAULT '{}',
    -- The words behind # in the content.
    hashtags text[] NOT NULL DEFAULT '{}',
    latitude double precision,
    longitude double precision,
    like_count int NOT NULL DEFAULT 0,
    -- When it was hidden from all but its author, because many have reported it.
    hidden_at timestamptz,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT posts_request_key_key UNIQUE (author_id, request_key)
);
CREATE INDEX posts_author_id_idx ON posts (author_id, created_at DESC, id DESC);
CREATE INDEX posts_category_idx ON posts (app, category, created_at DESC, id DESC) WHERE hidden_at IS NULL;
CREATE INDEX posts_created_at_idx ON posts (app, created_at DESC, id DESC) WHERE hidden_at IS NULL;

CREATE TABLE likes (
    post_id bigint NOT NULL CONSTRAINT likes_post_id_fkey REFERENCES posts ON DELETE CASCADE,
    -- 1, or 2 for Seoul Culture's second kind.
    kind smallint NOT NULL CONSTRAINT likes_kind_check CHECK (kind IN (1, 2)),
    account_id bigint NOT NULL,
    -- What the app calls who likes, so that a long list of them is read from one index.
    public_id text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT likes_pkey PRIMARY KEY (post_id, kind, account_id)
);
CREATE INDEX likes_post_id_idx ON likes (post_id, kind, created_at DESC, account_id DESC) INCLUDE (public_id);
CREATE INDEX likes_account_id_idx ON likes (account_id, kind, created_at DESC, post_id DESC);

-- What people say of posts, and what others answer to that. An answer has no answers.
CREATE TABLE comments (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT comments_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT comments_public_id_key UNIQUE
        CONSTRAINT comments_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    post_id bigint NOT NULL CONSTRAINT comments_post_id_fkey REFERENCES posts ON DELETE CASCADE,
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
CREATE INDEX comments_post_id_idx ON comments (post_id, is_reply, created_at DESC, id DESC);
CREATE INDEX comments_parent_id_idx ON comments (parent_id, created_at, id);
