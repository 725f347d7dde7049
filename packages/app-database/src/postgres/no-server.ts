/** There is no PostgreSQL server; the message contains nothing private. */
export class NoServer extends Error {
  constructor(options: ErrorOptions) {
    super(
      "PostgreSQL cannot be had on this machine just now: `treadle doctor` says why. An app can keep its data in SQLite instead.",
      options,
    );
  }
}
