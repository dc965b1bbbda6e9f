-- When the reminder of the routine on this shift is due; NULL for a routine without an alarm. The triggers below keep it, so
-- that due reminders are found by time, without reading the links of other days.
ALTER TABLE shift_routines ADD COLUMN due_at timestamptz;

CREATE FUNCTION routine_due_at(day date, alarm_minute smallint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT (day + make_interval(mins => alarm_minute)) AT TIME ZONE 'Asia/Seoul'
$$;

CREATE FUNCTION shift_routines_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Waits for a concurrent change of the alarm.
    SELECT routine_due_at(s.date, r.alarm_minute) INTO NEW.due_at FROM shifts s, routines r
    WHERE s.id = NEW.shift_id AND r.id = NEW.routine_id FOR SHARE OF r;
    RETURN NEW;
END
$$;
CREATE TRIGGER shift_routines_added BEFORE INSERT ON shift_routines
    FOR EACH ROW EXECUTE FUNCTION shift_routines_added();

CREATE FUNCTION routines_alarm_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shift_routines l SET due_at = routine_due_at(s.date, NEW.alarm_minute) FROM shifts s
    WHERE l.routine_id = NEW.id AND s.id = l.shift_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER routines_alarm_changed AFTER UPDATE OF alarm_minute ON routines
    FOR EACH ROW WHEN (OLD.alarm_minute IS DISTINCT FROM NEW.alarm_minute) EXECUTE FUNCTION routines_alarm_changed();

CREATE FUNCTION shifts_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE shift_routines l SET due_at = routine_due_at(NEW.date, r.alarm_minute) FROM routines r
    WHERE l.shift_id = NEW.id AND r.id = l.routine_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER shifts_moved AFTER UPDATE OF date ON shifts
    FOR EACH ROW WHEN (OLD.date <> NEW.date) EXECUTE FUNCTION shifts_moved();

-- Earlier links are never due again.
UPDATE shift_routines l SET due_at = routine_due_at(s.date, r.alarm_minute) FROM shifts s, routines r
WHERE s.id = l.shift_id AND r.id = l.routine_id AND r.alarm_minute IS NOT NULL AND s.date >= current_date - 1;

CREATE INDEX shift_routines_due_at_idx ON shift_routines (due_at, shift_id, routine_id) WHERE due_at IS NOT NULL;
