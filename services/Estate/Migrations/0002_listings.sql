-- What is to let. Money is in won, lengths in metres.
CREATE TABLE listings (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT listings_pkey PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT listings_public_id_key UNIQUE
        CONSTRAINT listings_public_id_check CHECK (public_id ~ '^[0-9a-f]{24}$'),
    creator_id bigint NOT NULL CONSTRAINT listings_creator_id_fkey REFERENCES people,
    -- What the creator calls it: an agency's number of it, or the request that made it, so that it is made once.
    reference text,
    category text NOT NULL,
    title text NOT NULL,
    introduction text NOT NULL,
    description text NOT NULL,
    -- Paths, as the app knows them; the first is on the card.
    thumbnails text[] NOT NULL,
    reservation_price bigint NOT NULL CONSTRAINT listings_reservation_price_check CHECK (reservation_price >= 0),
    deposit bigint NOT NULL CONSTRAINT listings_deposit_check CHECK (deposit >= 0),
    monthly_rent bigint NOT NULL CONSTRAINT listings_monthly_rent_check CHECK (monthly_rent >= 0),
    maintenance_fee bigint NOT NULL CONSTRAINT listings_maintenance_fee_check CHECK (maintenance_fee >= 0),
    built_on date NOT NULL,
    area double precision NOT NULL CONSTRAINT listings_area_check CHECK (area > 0),
    parking_count int NOT NULL,
    floors int NOT NULL,
    options jsonb NOT NULL,
    is_safe boolean NOT NULL,
    is_recommended boolean NOT NULL,
    -- Where it is. For its creator, and for who has paid to reserve it.
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    -- Where everybody else is told that it is. All searching, sorting and measuring goes by this.
    shown_latitude double precision NOT NULL,
    shown_longitude double precision NOT NULL,
    spot geography(Point, 4326) NOT NULL GENERATED ALWAYS AS (
        ST_SetSRID(ST_MakePoint(shown_longitude, shown_latitude), 4326)::geography
    ) STORED,
    -- The same as a cell of the map's finest tiles, in their order along the Z-curve: a tile is a range.
    cell bigint NOT NULL,
    -- What people call the place; NULL until it has been asked for.
    region text,
    -- When it is asked for, and again after a failure; NULL when that is settled.
    region_due_at timestamptz DEFAULT now(),
    like_count int NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT listings_reference_key UNIQUE (creator_id, reference)
);
CREATE INDEX listings_spot_idx ON listings USING gist (spot);
-- Everything that a map's tile shows and filters by, so that the table need not be looked at.
CREATE INDEX listings_cell_idx ON listings (cell)
    INCLUDE (shown_latitude, shown_longitude, public_id, category, area, monthly_rent, deposit);
CREATE INDEX listings_created_at_idx ON listings (created_at DESC, id DESC);
CREATE INDEX listings_safe_created_at_idx ON listings (created_at DESC, id DESC) WHERE is_safe;
CREATE INDEX listings_category_created_at_idx ON listings (category, created_at DESC, id DESC);
CREATE INDEX listings_region_due_at_idx ON listings (region_due_at) WHERE region_due_at IS NOT NULL;

CREATE TABLE likes (
    listing_id bigint NOT NULL CONSTRAINT likes_listing_id_fkey REFERENCES listings ON DELETE CASCADE,
    account_id bigint NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT likes_pkey PRIMARY KEY (listing_id, account_id)
);
CREATE INDEX likes_account_id_idx ON likes (account_id, created_at DESC, listing_id DESC);
CREATE INDEX likes_created_at_idx ON likes (created_at);

-- What payments tells of orders for listings: one that is paid, or that is held for somebody for a while.
CREATE TABLE reservations (
    order_code text NOT NULL CONSTRAINT reservations_pkey PRIMARY KEY,
    listing_id bigint NOT NULL CONSTRAINT reservations_listing_id_fkey REFERENCES listings ON DELETE CASCADE,
    account_id bigint NOT NULL,
    -- Until when it is held; NULL once it is paid.
    held_until timestamptz
);
CREATE INDEX reservations_listing_id_idx ON reservations (listing_id);
CREATE INDEX reservations_account_id_idx ON reservations (account_id) WHERE held_until IS NULL;
