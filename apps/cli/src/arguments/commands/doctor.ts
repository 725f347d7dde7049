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
    ...DATA,
  },
  read: (values, words) =>
    noWords("doctor", words) ?? {
      data: values.data,
      attacks: values.attacks ?? false,
    },
});
