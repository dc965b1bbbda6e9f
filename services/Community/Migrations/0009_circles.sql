-- Who follows whom.
CREATE TABLE follows (
    follower_id bigint NOT NULL CONSTRAINT follows_follower_id_fkey REFERENCES people,
    followed_id bigint NOT NULL CONSTRAINT follows_followed_id_fkey REFERENCES people,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT follows_pkey PRIMARY KEY (follower_id, followed_id),
    CONSTRAINT follows_self_check CHECK (follower_id <> followed_id)
);
CREATE INDEX follows_follower_id_idx ON follows (follower_id, created_at DESC, followed_id DESC);
CREATE INDEX follows_followed_id_idx ON follows (followed_id, created_at DESC, follower_id DESC);

-- Who has paid for a post, from payments.
CREATE TABLE purchases (
    post_id bigint NOT NULL CONSTRAINT purchases_post_id_fkey REFERENCES posts ON DELETE CASCADE,
    account_id bigint NOT NULL CONSTRAINT purchases_account_id_fkey REFERENCES people,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT purchases_pkey PRIMARY KEY (post_id, account_id)
);
CREATE INDEX purchases_post_id_idx ON purchases (post_id, created_at DESC, account_id DESC);
CREATE INDEX purchases_account_id_idx ON purchases (account_id);

-- The hashtags of Seoul Culture's posts one by one, so that the posts of one are read in their order.
CREATE TABLE post_hashtags (
    post_id bigint NOT NULL CONSTRAINT post_hashtags_post_id_fkey REFERENCES posts ON DELETE CASCADE,
    tag text NOT NULL,
    -- The post's product id and instant.
    category text,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT post_hashtags_pkey PRIMARY KEY (post_id, tag)
);
CREATE INDEX post_hashtags_tag_idx ON post_hashtags (tag, created_at DESC, post_id DESC);
CREATE INDEX post_hashtags_category_idx ON post_hashtags (tag, category, created_at DESC, post_id DESC);
