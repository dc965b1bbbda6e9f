-- Spans of kept traces, as they came, in OTLP's JSON encoding.
CREATE TABLE spans (
    at timestamptz NOT NULL DEFAULT now(),
    trace uuid NOT NULL,
    program text NOT NULL,
    spans jsonb NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE spans_default PARTITION OF spans DEFAULT;
CREATE INDEX spans_by_trace ON spans (trace);
CREATE INDEX spans_by_time ON spans (at);
ALTER TABLE spans REPLICA IDENTITY FULL;
ALTER TABLE spans_default REPLICA IDENTITY FULL;
COMMENT ON TABLE spans IS 'Dropped after 24 hours, or earlier if they take more than TRACES_SPACE, by Retention.';

-- The first span of each trace.
CREATE TABLE stories (
    at timestamptz NOT NULL DEFAULT now(),
    trace uuid NOT NULL,
    program text NOT NULL,
    name text NOT NULL,
    app text,
    status integer,
    started_at timestamptz NOT NULL,
    microseconds bigint NOT NULL,
    failed boolean NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE stories_default PARTITION OF stories DEFAULT;
CREATE INDEX stories_by_time ON stories (at);
CREATE INDEX stories_by_trace ON stories (trace);
CREATE INDEX stories_failed ON stories (at) WHERE failed;
ALTER TABLE stories REPLICA IDENTITY FULL;
ALTER TABLE stories_default REPLICA IDENTITY FULL;
COMMENT ON TABLE stories IS 'Dropped after 24 hours, or earlier if they take more than TRACES_SPACE, by Retention.';

-- What traces can be found by: ids of requests, accounts, sessions, orders, payments, rooms and cars.
CREATE TABLE subjects (
    at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL,
    value text NOT NULL,
    trace uuid NOT NULL
) PARTITION BY RANGE (at);
CREATE TABLE subjects_default PARTITION OF subjects DEFAULT;
CREATE INDEX subjects_by_value ON subjects (value, at);
CREATE INDEX subjects_by_time ON subjects (at);
ALTER TABLE subjects REPLICA IDENTITY FULL;
ALTER TABLE subjects_default REPLICA IDENTITY FULL;
COMMENT ON TABLE subjects IS 'Dropped after 24 hours, or earlier if they take more than TRACES_SPACE, by Retention.';

-- How often programs have called others, by the minute.
CREATE TABLE calls (
    minute timestamptz NOT NULL,
    program text NOT NULL,
    target text NOT NULL,
    calls bigint NOT NULL,
    failures bigint NOT NULL,
    times bigint[] NOT NULL,
    PRIMARY KEY (minute, program, target)
);
COMMENT ON TABLE calls IS 'Deleted after 7 days, by Retention.';

COMMENT ON TABLE schema_migrations IS 'One row per migration.';
