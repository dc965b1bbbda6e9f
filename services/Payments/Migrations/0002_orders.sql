-- What somebody wants to pay for: the reservation of a listing of Anlaka, or what a post of Seoul Culture asks for.
CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT orders_public_id_key UNIQUE,
    app text NOT NULL CONSTRAINT orders_app_check CHECK (app IN ('anlaka', 'culture')),
    -- PortOne knows the order by it, as merchant_uid.
    code text NOT NULL CONSTRAINT orders_code_key UNIQUE,
    account_id bigint NOT NULL,
    -- The public id of the listing, or of the post.
    subject text NOT NULL,
    name text NOT NULL,
    -- Won; what it cost when it was ordered.
    amount bigint NOT NULL CONSTRAINT orders_amount_check CHECK (amount > 0),
    -- The listing as it was when it was ordered.
    listing jsonb,
    state text NOT NULL CONSTRAINT orders_state_check CHECK (state IN ('open', 'paid', 'expired', 'refunded')),
    -- Whoever pays later is too late.
    held_until timestamptz(3) NOT NULL,
    -- When PortOne has taken note of the amount; before that, nobody is told the code.
    prepared_at timestamptz(3),
    -- When PortOne is to be asked next whether somebody has paid.
    check_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    paid_at timestamptz(3),
    CONSTRAINT orders_paid_at_check CHECK ((state IN ('paid', 'refunded')) = (paid_at IS NOT NULL)),
    CONSTRAINT orders_listing_check CHECK ((app = 'anlaka') = (listing IS NOT NULL))
);
-- A listing is reserved once.
CREATE UNIQUE INDEX orders_reservation_key ON orders (subject) WHERE app = 'anlaka' AND state IN ('open', 'paid');
-- Somebody has one order under way for a post.
CREATE UNIQUE INDEX orders_offer_key ON orders (account_id, subject) WHERE app = 'culture' AND state = 'open';
CREATE INDEX orders_account_id_idx ON orders (account_id, created_at DESC, id DESC);
CREATE INDEX orders_paid_at_idx ON orders (account_id, paid_at DESC, id DESC) WHERE paid_at IS NOT NULL;
CREATE INDEX orders_purchase_idx ON orders (subject, account_id) WHERE app = 'culture' AND state = 'paid';
CREATE INDEX orders_check_at_idx ON orders (check_at) WHERE check_at IS NOT NULL;
