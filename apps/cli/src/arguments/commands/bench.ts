import { commandShape } from "../command-shape.ts";
import { DATA, inMs, UNSAFE } from "../shared-options.ts";

const DOES = ["webgen", "fullstack", "score", "hand-over"] as const;

export const bench = commandShape({
  name: "bench",
  words: "webgen|fullstack, score|hand-over DIR",
  summary: "build every task of a benchmark, each in its own folder, and score the folders",
  help: "webgen and fullstack: the tasks are JSON Lines with an id, an instruction and, if there are any, checks. Finished tasks are skipped, so the same command goes on after an interruption. score: the rules of FullStack-Bench's judges on a folder of tasks' folders, as far as a program can play them. hand-over: what those judges read of one folder that was built with “treadle run”: its files, its database, pictures. Exit status: 0 every task finished (score: every one passes), 1 some could not be carried out, 2 usage, 130 stopped.",
  completes: DOES,
  options: {
    tasks: { kind: "text", value: "FILE", help: "the tasks, a JSON object a line" },
    out: { kind: "folder", value: "DIR", help: "where the folders, the results and the report go" },
    logs: {
      kind: "folder",
      value: "DIR",
      help: "fullstack: where databases, logs and pictures go; default the --out folder with “-logs” behind it. score: where they are",
    },
    results: {
      kind: "folder",
      value: "DIR",
      help: "fullstack: the judges' own log folder; the report then says how far they agree with the verdicts",
    },
    only: { kind: "text", value: "IDS", help: "these tasks only, with commas between" },
    limit: { kind: "count", value: "N", help: "the first N tasks only" },
    parallel: { kind: "count", value: "N", help: "tasks that run at once; default 1" },
    model: { kind: "text", value: "PROVIDER:ID", help: "default as with run" },
    "max-steps": { kind: "count", value: "N", help: "at most this many model steps in one task" },
    "max-cost": { kind: "number", value: "USD", help: "what one task may cost" },
    timeout: { kind: "number", value: "SECONDS", help: "how long one task may take; default 1800" },
    json: { kind: "flag", help: "score and hand-over: one JSON object a line" },
    ...DATA,
    ...UNSAFE,
  },
  read(values, words) {
    const [suite, folder, ...rest] = words;
    const shared = {
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
      logs: values.logs,
      /** Ids of tasks; absent: all. */
      only: idsIn(values.only),
      json: values.json ?? false,
    };
    switch (suite) {
      case "score":
        if (folder === undefined || rest.length > 0)
          return { wrong: "Say which folder: treadle bench score DIR." };
        return { of: suite, folder, tasks: values.tasks, ...shared };
      case "hand-over":
        if (folder === undefined || rest.length > 0 || values.out === undefined || !values.logs)
          return {
            wrong:
              "“bench hand-over” needs a folder, --out DIR and --logs DIR: treadle bench hand-over ./app --out apps/000001 --logs logs/000001.",
          };
        return { of: suite, folder, out: values.out, ...shared, logs: values.logs };
      case "webgen":
      case "fullstack":
        if (folder !== undefined)
          return { wrong: `“bench ${suite}” takes no further words, but got “${folder}”.` };
        if (values.tasks === undefined || values.tasks === "" || values.out === undefined)
          return {
            wrong: `“bench ${suite}” needs --tasks FILE and --out DIR. Nothing was started.`,
          };
        return {
          of: suite,
          tasks: values.tasks,
          out: values.out,
          results: values.results,
          limit: values.limit,
          parallel: values.parallel ?? 1,
          model: values.model,
          maxSteps: values["max-steps"],
          maxCost: values["max-cost"],
          timeoutMs: inMs(values.timeout) ?? 1_800_000,
          ...shared,
        };
      default:
        return {
          wrong:
            "Say what to do: treadle bench webgen, fullstack, score or hand-over. Nothing was started.",
        };
    }
  },
});

function idsIn(text: string | undefined): string[] | undefined {
  const ids = text?.split(",").map((id) => id.trim());
  return ids?.filter((id) => id !== "");
}
