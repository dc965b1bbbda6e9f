-- Pages on which somebody pays for an order of theirs. Each carries a token of which only the hash is kept.
CREATE TABLE checkout_pages (
    token_hash bytea CONSTRAINT checkout_pages_pkey PRIMARY KEY,
    order_id bigint NOT NULL CONSTRAINT checkout_pages_order_id_fkey REFERENCES orders,
    account_id bigint NOT NULL CONSTRAINT checkout_pages_account_id_fkey REFERENCES people,
    expires_at timestamptz(3) NOT NULL
);
CREATE INDEX checkout_pages_account_id_idx ON checkout_pages (account_id);
CREATE INDEX checkout_pages_expires_at_idx ON checkout_pages (expires_at);
