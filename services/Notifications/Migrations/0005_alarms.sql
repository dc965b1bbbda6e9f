-- What somebody is told of inside their app.
CREATE TABLE alarms (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT alarms_pkey PRIMARY KEY,
    app text NOT NULL,
    account_id bigint NOT NULL,
    -- Who caused it; NULL for what came by itself.
    sender_id bigint,
    kind text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    -- What the app needs to open what it is about: an object of texts.
    data jsonb NOT NULL,
    -- What the happening is called by whoever tells of it: one alarm for it, however often it is told of.
    source uuid NOT NULL CONSTRAINT alarms_source_key UNIQUE,
    created_at timestamptz(3) NOT NULL,
    read_at timestamptz(3)
);
CREATE INDEX alarms_account_id_idx ON alarms (account_id, id);
CREATE INDEX alarms_unread_idx ON alarms (account_id, id) WHERE read_at IS NULL;
CREATE INDEX alarms_sender_id_idx ON alarms (sender_id) WHERE sender_id IS NOT NULL;

-- What everybody in an app is told of, stored once.
CREATE TABLE announcements (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT announcements_pkey PRIMARY KEY,
    app text NOT NULL,
    title text NOT NULL,
    content text,
    -- Who wrote it; NULL for operators.
    author_id bigint,
    -- One announcement for it, however often it is asked for.
    source uuid NOT NULL CONSTRAINT announcements_source_key UNIQUE,
    sent_at timestamptz(3) NOT NULL,
    -- The last phone that was there when it was sent: later ones are not told.
    last_device_id bigint NOT NULL,
    -- Accounts up to this one have been told; NULL when all have.
    pushed_through bigint DEFAULT 0
);
CREATE INDEX announcements_app_idx ON announcements (app, id);
CREATE INDEX announcements_pushed_through_idx ON announcements (id) WHERE pushed_through IS NOT NULL;

-- What somebody has done with an announcement; no row for what they have not touched.
CREATE TABLE announcement_marks (
    account_id bigint NOT NULL,
    announcement_id bigint NOT NULL CONSTRAINT announcement_marks_announcement_id_fkey REFERENCES announcements,
    read_at timestamptz(3),
    deleted_at timestamptz(3),
    CONSTRAINT announcement_marks_pkey PRIMARY KEY (account_id, announcement_id)
);

-- How somebody stands to all announcements of their app.
CREATE TABLE announcement_readers (
    account_id bigint CONSTRAINT announcement_readers_pkey PRIMARY KEY,
    -- Those that were there before they were: not for them.
    begins_after bigint NOT NULL DEFAULT 0,
    -- Everything up to these they have read, at that instant, and put away.
    read_through bigint NOT NULL DEFAULT 0,
    read_at timestamptz(3),
    deleted_through bigint NOT NULL DEFAULT 0
);

-- The kinds of which somebody wants no push.
CREATE TABLE muted_kinds (
    account_id bigint NOT NULL,
    kind text NOT NULL,
    CONSTRAINT muted_kinds_pkey PRIMARY KEY (account_id, kind)
);
