import { commandShape, noWords } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

export const doctor = commandShape({
  name: "doctor",
  summary: "say what this machine can and cannot do, and how to fix it",
  options: {
    attacks: {
      kind: "flag",
      help: "let hostile code try to leave its sandbox, and show what came of it",
    },
    repair: {
      kind: "flag",
      help: "repair stored data (projects, log, checkpoints, prepared dependencies), and say what was done; the server must be stopped",
    },
    "take-databases": {
      kind: "flag",
      help: "this data folder was moved here: from now on it owns the PostgreSQL databases that its copy elsewhere had",
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
