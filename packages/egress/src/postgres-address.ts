/** Where PostgreSQL is looked for by whoever is not told otherwise: the app's own answers there, inside its sandbox. */
export const POSTGRES_PORT = 5432;

/** What clients of PostgreSQL take an address from that the app does not give them. Whoever they say they are, it is theirs alone. */
export const POSTGRES_ADDRESS: Readonly<Record<string, string>> = {
  PGHOST: "127.0.0.1",
  PGPORT: String(POSTGRES_PORT),
  PGUSER: "app",
  PGDATABASE: "app",
  PGSSLMODE: "disable",
};

/** Is set where PostgreSQL answers there, whatever the app's own environment makes of the address. */
export const HAS_POSTGRES = "TREADLE_POSTGRES";
