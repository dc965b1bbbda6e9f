-- The span of the request or job that has caused a message, as `traceparent`.
ALTER TABLE live_messages ADD COLUMN trace text;
