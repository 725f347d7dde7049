import { CACHE_LEVELS, THINKING_LEVELS } from "@treadle/protocol/models";
import { commandShape } from "../command-shape.ts";
import { ALLOW_HOST, DATA, inMs, JSON_LINES, UNSAFE } from "../shared-options.ts";

export const run = commandShape({
  name: "run",
  words: '"PROMPT"',
  summary: "build without a browser",
  help: "Exit status: 0 verified or runs, 1 failed, 2 usage, 3 unverified, 4 budget, 5 waiting for a person. A run that changes nothing ends with the status of the project as it stands: 3 if it has not been looked at yet. The prompt may point at things: @src/App.tsx:1-40 @src/ @https://… @diff",
  options: {
    dir: {
      kind: "folder",
      value: "DIR",
      help: "the folder to build in, created if it does not exist; it is yours, and runs with npm run dev",
    },
    model: {
      kind: "text",
      value: "PROVIDER:ID",
      help: "default TREADLE_MODEL, or the one chosen on the page",
    },
    models: {
      kind: "text",
      value: "A,B",
      help: "compare: each builds in its own copy, and the best goes into the folder (by verdict, then checks, then cost)",
    },
    attempts: {
      kind: "count",
      value: "N",
      help: "attempts by each of --models, 1 to 4; limits hold for each attempt",
    },
    also: {
      kind: "texts",
      value: '"PROMPT"',
      help: "a further request at the same time; may be given several times. Each works on its own copy and goes into the folder when it is done; limits hold for each",
    },
    "plan-model": {
      kind: "text",
      value: "PROVIDER:ID",
      help: "for turns that only plan; default the model above",
    },
    dialect: {
      kind: "text",
      choices: ["native", "artifact", "tags"],
      help: "how the model calls tools; default by what it can do",
    },
    thinking: {
      kind: "text",
      choices: THINKING_LEVELS,
      help: "how much the model thinks before it answers, in its provider’s own way; default as set for the model, TREADLE_THINKING, or as it likes",
    },
    cache: {
      kind: "text",
      choices: CACHE_LEVELS,
      help: "how long the model’s provider caches the prompt, as far as it takes that setting; default as set for the model, TREADLE_PROMPT_CACHE, or as usual",
    },
    "max-steps": { kind: "count", value: "N", help: "at most this many model steps" },
    "max-cost": { kind: "number", value: "USD", help: "what it may cost" },
    timeout: { kind: "number", value: "SECONDS", help: "how long it may take" },
    approve: {
      kind: "text",
      choices: ["ask", "safe", "auto"],
      help: "what needs approval: each change, commands, or only what takes effect outside the sandbox; you are asked at the terminal, and without one the run ends with 5. With safe, the look at the end of a turn still runs the project's own scripts (prebuild, build, dev) in the sandbox, which the model may have written",
    },
    "accept-rules": {
      kind: "flag",
      help: "accept rules, skills and checks that a program changed, as they stand",
    },
    require: {
      kind: "text",
      choices: ["verified"],
      help: "end with 3 where it runs and not all that was asked for is shown by a check",
    },
    ...ALLOW_HOST,
    transcript: {
      kind: "text",
      value: "FILE",
      help: "afterwards, write the turn without keys, for “treadle replay”; an existing file is not overwritten",
    },
    plan: { kind: "flag", help: "change nothing, print a plan" },
    docker: {
      kind: "flag",
      help: "once it is verified: write a Dockerfile if there is none, build the image and start it",
    },
    ...JSON_LINES,
    ...DATA,
    ...UNSAFE,
  },
  read(values, words) {
    const prompt = words.join(" ").trim();
    if (prompt === "")
      return { wrong: 'Say what to build: treadle run "Build a todo app". Nothing was started.' };
    const compare = readCompared(values);
    if (compare && "wrong" in compare) return compare;
    const parallel = (values.also ?? []).map((text) => text.trim()).filter(Boolean);
    const excluded = parallel.length > 0 ? besideParallel(values) : undefined;
    if (excluded !== undefined)
      return { wrong: `--also and --${excluded} exclude each other. Nothing was started.` };
    if (parallel.length >= MOST_PARALLEL)
      return { wrong: `At most ${MOST_PARALLEL} requests run at once. Nothing was started.` };
    return {
      prompt,
      /** Models that are asked side by side, in place of `model`; absent: one run. */
      compare,
      /** Further requests at the same time as the prompt. */
      parallel,
      dir: values.dir,
      model: values.model,
      /** The model used instead of `model` while planning; saved with the project. */
      planModel: values["plan-model"],
      dialect: values.dialect,
      thinking: values.thinking,
      cache: values.cache,
      maxSteps: values["max-steps"],
      maxCost: values["max-cost"],
      timeoutMs: inMs(values.timeout),
      /** The mode of approval. Nobody can answer, so a question ends the run. */
      approve: values.approve,
      /** Accepts the current rules and skills, whoever changed them. */
      acceptRules: values["accept-rules"] ?? false,
      /** Whether the verdict has to be `verified`; `runs` is then a failure. */
      requireVerified: values.require === "verified",
      /** Hosts outside that the project may reach from now on. */
      allowHosts: values["allow-host"] ?? [],
      /** A file that the turn is written to, to be replayed; absent: none. */
      transcript: values.transcript,
      plan: values.plan ?? false,
      /** Whether a verified result is started in a container. */
      docker: values.docker ?? false,
      json: values.json ?? false,
      data: values.data,
      unsafe: values["unsafe-no-sandbox"] ?? false,
    };
  },
});

/** Maximum number of requests of one command, including the prompt; the server has the same limit. */
const MOST_PARALLEL = 8;

/** The option that makes no sense for several requests, if there is one. */
function besideParallel(values: {
  models?: unknown;
  plan?: unknown;
  transcript?: unknown;
  docker?: unknown;
}): string | undefined {
  const { models, plan, transcript, docker } = values;
  const named = Object.entries({ models, plan, transcript, docker });
  return named.find(([, value]) => value !== undefined && value !== false)?.[0];
}

/** Maximum number of attempts in one comparison; the server has the same limit. */
const MOST_ATTEMPTS = 8;
const MOST_OF_EACH = 4;

function readCompared(values: {
  models?: string | undefined;
  attempts?: number | undefined;
  model?: string | undefined;
  plan?: boolean | undefined;
}): { models: string[]; attempts: number } | { wrong: string } | undefined {
  const { attempts = 1 } = values;
  if (values.models === undefined)
    return values.attempts === undefined
      ? undefined
      : {
          wrong:
            "--attempts says how often each of --models is asked: --models A,B --attempts 2. Nothing was started.",
        };
  const named = values.models.split(",").map((name) => name.trim());
  const models = [...new Set(named.filter(Boolean))];
  if (values.model !== undefined)
    return { wrong: "--models and --model exclude each other. Nothing was started." };
  if (values.plan)
    return { wrong: "--models compares what is built, not plans. Nothing was started." };
  const all = models.length * attempts;
  if (all < 2 || all > MOST_ATTEMPTS || attempts > MOST_OF_EACH)
    return {
      wrong: `A comparison has 2 to ${MOST_ATTEMPTS} attempts, at most ${MOST_OF_EACH} of each model; these are ${all}. Nothing was started.`,
    };
  return { models, attempts };
}
