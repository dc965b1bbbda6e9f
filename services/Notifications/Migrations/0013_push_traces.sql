ALTER TABLE pushes ADD COLUMN trace text;
COMMENT ON COLUMN pushes.trace IS 'The span that the push follows from, as traceparent (W3C Trace Context).';
