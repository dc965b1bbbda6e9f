-- What all viewers see alike of a listing in a list (Anlaka contract 1.7, EstateSummary): a JSON object without its last brace.
-- Lists have up to thousands of listings, and a listing is written once. NULL in rows that are older than the column, until
-- Listings.completeEntries has filled it.
ALTER TABLE listings ADD COLUMN entry bytea;

-- Not parallel: lists are short, and PostgreSQL would rather start workers than read the nearest listings by the index.
CREATE FUNCTION listing_entry(l listings) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT convert_to(left(json_strip_nulls(json_build_object(
        'estate_id', l.public_id, 'category', l.category, 'title', l.title, 'introduction', l.introduction,
        'thumbnails', l.thumbnails, 'deposit', l.deposit, 'monthly_rent', l.monthly_rent, 'built_year', l.built_on,
        'area', l.area, 'floors', l.floors, 'region', l.region, 'is_safe_estate', l.is_safe,
        'is_recommended', l.is_recommended, 'created_at', created.at, 'createdAt', created.at, 'updated_at', updated.at,
        'updatedAt', updated.at
    ))::text, -1), 'UTF8')
    FROM to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') created (at),
        to_char(l.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') updated (at)
$$;

-- By a trigger, since listings are also written by copies of the service that do not know the column.
-- An operator's statements may have another search path.
CREATE FUNCTION keep_listing_entry() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    NEW.entry := listing_entry(NEW);
    RETURN NEW;
END $$;
CREATE TRIGGER listings_entry BEFORE INSERT OR UPDATE OF public_id, category, title, introduction, thumbnails, deposit,
    monthly_rent, built_on, area, floors, region, is_safe, is_recommended, created_at, updated_at ON listings
    FOR EACH ROW EXECUTE FUNCTION keep_listing_entry();
