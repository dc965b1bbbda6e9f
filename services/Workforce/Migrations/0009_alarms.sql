-- How far alarms have been sent, by kind: what is due later is still to come, and of what is due at that moment, what comes
-- after that key. Whoever sends holds the row, so that each alarm is sent once.
CREATE TABLE alarm_marks (
    kind text CONSTRAINT alarm_marks_pkey PRIMARY KEY,
    sent_through timestamptz NOT NULL DEFAULT now(),
    sent_key bigint[] NOT NULL DEFAULT '{}'
);
INSERT INTO alarm_marks (kind) VALUES ('routine'), ('pay_day');
