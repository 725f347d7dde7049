import { commandShape, noWords } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

export const migrateStore = commandShape({
  name: "migrate-store",
  summary: "move the projects of a data folder between SQLite and PostgreSQL",
  help: "Stop the server first. Everything moves or nothing. The files of projects stay in the data folder. After --to, start Treadle with DATABASE_URL set to the same address; the SQLite file stays under another name. After --from, start it without; PostgreSQL keeps its copy.",
  options: {
    to: { kind: "text", value: "URL", help: "from SQLite to this PostgreSQL database" },
    from: { kind: "text", value: "URL", help: "from this PostgreSQL database to SQLite" },
    ...DATA,
  },
  read({ to, from, data }, words) {
    if ((to === undefined) === (from === undefined))
      return {
        wrong:
          "“migrate-store” takes either --to or --from, with the address of a PostgreSQL database.",
      };
    return noWords("migrate-store", words) ?? { to, from, data };
  },
});
