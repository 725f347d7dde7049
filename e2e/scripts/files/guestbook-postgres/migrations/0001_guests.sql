CREATE TABLE guests (id serial PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now());
