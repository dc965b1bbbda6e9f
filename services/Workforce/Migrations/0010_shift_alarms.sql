-- Planned shifts are told of before they start.
INSERT INTO alarm_marks (kind) VALUES ('shift');
CREATE INDEX shifts_starts_at_idx ON shifts (starts_at);
