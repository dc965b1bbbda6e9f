-- Who has reported what. What it is about stands in the table of its kind; it takes its reports along when it goes.
CREATE TABLE reports (
    -- 1 for posts; each kind of thing has a number of its own.
    kind smallint NOT NULL,
    subject_id bigint NOT NULL,
    account_id bigint NOT NULL,
    reason text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT reports_pkey PRIMARY KEY (kind, subject_id, account_id)
);
CREATE INDEX reports_account_id_idx ON reports (account_id);
