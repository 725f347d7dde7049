/** PostgreSQL's default address: the app's own server answers there, inside its sandbox. */
export const POSTGRES_PORT = 5432;

/** The app's environment variables from which PostgreSQL clients read an address. */
export const POSTGRES_ADDRESS: Readonly<Record<string, string>> = {
  PGHOST: "127.0.0.1",
  PGPORT: String(POSTGRES_PORT),
  PGUSER: "app",
  PGDATABASE: "app",
  PGSSLMODE: "disable",
};

/** Set if PostgreSQL answers at this address, whatever the app's environment says. */
export const HAS_POSTGRES = "TREADLE_POSTGRES";
