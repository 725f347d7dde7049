/** There is no PostgreSQL server to let anybody in to; the sentence may be told to anybody. */
export class NoServer extends Error {
  constructor(options: ErrorOptions) {
    super(
      "PostgreSQL cannot be had on this machine just now: `treadle doctor` says why. An app can keep its data in SQLite instead.",
      options,
    );
  }
}
