-- Who wants to hear nothing more of whom, in Anlaka. With Suhyeon's people block phone numbers, which is auth's business.
CREATE TABLE blocks (
    account_id bigint NOT NULL CONSTRAINT blocks_account_id_fkey REFERENCES people,
    blocked_id bigint NOT NULL CONSTRAINT blocks_blocked_id_fkey REFERENCES people,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT blocks_pkey PRIMARY KEY (account_id, blocked_id)
);
CREATE INDEX blocks_blocked_id_idx ON blocks (blocked_id);
