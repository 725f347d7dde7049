import { commandShape, noWords } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

export const doctor = commandShape({
  name: "doctor",
  summary: "what this machine can and cannot do, and what mends it",
  options: {
    attacks: {
      kind: "flag",
      help: "let hostile code try to leave its sandbox, and show what came of it",
    },
    repair: {
      kind: "flag",
      help: "mend what is kept (projects, log, checkpoints, prepared dependencies), and say what was done; the server must be stopped",
    },
    "take-databases": {
      kind: "flag",
      help: "this data folder was moved here: the databases in PostgreSQL that its copy elsewhere had are this one's from now on",
    },
    ...DATA,
  },
  read: (values, words) =>
    noWords("doctor", words) ?? {
      data: values.data,
      attacks: values.attacks ?? false,
      repair: values.repair ?? false,
      takeDatabases: values["take-databases"] ?? false,
    },
});
