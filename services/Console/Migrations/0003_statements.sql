-- How often statements were run, and how long they took, by the hour.
CREATE TABLE statements (
    hour timestamptz NOT NULL,
    program text NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL,
    microseconds bigint NOT NULL,
    longest bigint NOT NULL,
    PRIMARY KEY (hour, program, name)
);
COMMENT ON TABLE statements IS 'Deleted after 7 days, by Retention.';
