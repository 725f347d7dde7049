import { commandShape } from "../command-shape.ts";
import { DATA, inMs, UNSAFE } from "../shared-options.ts";

export const bench = commandShape({
  name: "bench",
  words: "webgen",
  summary: "build every task of a benchmark, each in its own folder",
  help: "The tasks are JSON Lines with an id, an instruction and, if there are any, checks. Finished tasks are skipped, so the same command goes on after an interruption. Exit status: 0 every task finished, 1 some could not be carried out, 2 usage, 130 stopped.",
  completes: ["webgen"],
  options: {
    tasks: { kind: "text", value: "FILE", help: "the tasks, a JSON object a line" },
    out: { kind: "folder", value: "DIR", help: "where the folders, the results and the report go" },
    limit: { kind: "count", value: "N", help: "the first N tasks only" },
    parallel: { kind: "count", value: "N", help: "tasks that run at once; default 1" },
    model: { kind: "text", value: "PROVIDER:ID", help: "default as with run" },
    "max-steps": { kind: "count", value: "N", help: "at most this many model steps in one task" },
    "max-cost": { kind: "number", value: "USD", help: "what one task may cost" },
    timeout: { kind: "number", value: "SECONDS", help: "how long one task may take; default 1800" },
    ...DATA,
    ...UNSAFE,
  },
  read(values, words) {
    if (words.length !== 1 || words[0] !== "webgen")
      return { wrong: "Say which one: treadle bench webgen --tasks FILE --out DIR." };
    if (values.tasks === undefined || values.tasks === "" || values.out === undefined)
      return { wrong: "“bench” needs --tasks FILE and --out DIR. Nothing was started." };
    return {
      tasks: values.tasks,
      out: values.out,
      limit: values.limit,
      parallel: values.parallel ?? 1,
      model: values.model,
      maxSteps: values["max-steps"],
      maxCost: values["max-cost"],
      timeoutMs: inMs(values.timeout) ?? 1_800_000,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});
