/**
 * Many hands on the same file at once: two tabs, an editor beside Treadle, git, the model, and an editor in a folder that is
 * kept in step (F12, F13). Whatever a person typed and was told to be kept has to be in a file, in git or in the history at
 * the end.
 */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createScriptedModel } from "@treadle/scripted-model";
import { scriptNamed } from "./stage.ts";
import { bareEnvironment, bin, scriptedBy, startTreadle } from "./treadle.ts";
import { numbersOf } from "./numbers-of.ts";

export interface Hands {
  /** Lets all of them work, so many acts each, in an order that the seed chooses. @returns what is nowhere, in sentences */
  work(seed: number, acts: number): Promise<string[]>;
  close(): Promise<void>;
}

const FILE = "shared.txt";
/** Maximum number of attempts to merge a conflict and save again. */
const TRIES = 200;

/**
 * @param options `copy`: a second folder is kept in step by `treadle sync`, and somebody edits there; git commits then, and no
 * more: a reset of its own loses what is written in the same moment, whoever writes it, and here that is everywhere at once
 */
export async function openHands({ copy = false } = {}): Promise<Hands> {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "treadle-hands-")));
  const folder = join(around, "theirs");
  const second = join(around, "copy");
  const data = join(around, "data");
  mkdirSync(folder);
  writeFileSync(join(folder, FILE), "the first line\n");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "safe.directory=*", ...words], { cwd: folder, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1e9 }); // prettier-ignore
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const model = await createScriptedModel({ script: scriptNamed("hands") });
  const env = { ...scriptedBy(model), TREADLE_PREPARE: "none" };
  const treadle = await startTreadle({ data, args: ["--open", folder], env });
  const project = new URL(treadle.address).pathname.slice("/p/".length);
  const api = (path: string, init?: RequestInit) => treadle.api(`/api/projects/${project}${path}`, init); // prettier-ignore

  /** Somebody who resets files with git does not save at the same moment. */
  let saving: Promise<unknown> = Promise.resolve();
  const alone = <T>(act: () => T | Promise<T>): Promise<T> => {
    const done = saving.then(act);
    saving = done.catch(() => undefined);
    return done;
  };
  const keepInStep = (...words: string[]) =>
    spawn(process.execPath, [bin, "sync", project, second, "--data", data, ...words], { env: bareEnvironment(), stdio: ["ignore", "pipe", "inherit"] }); // prettier-ignore
  const ended = (child: ReturnType<typeof keepInStep>) =>
    new Promise<number | null>((resolve) => child.once("exit", resolve));

  const load = async () => {
    const answer = await api(`/files/${FILE}`);
    if (answer.status === 404) return { text: "", version: undefined };
    return (await answer.json()) as { text: string; version: string | undefined };
  };

  /** A tab: types into what it has, and where another was first, into what stands then. @returns whether it was kept */
  async function type(tab: { text: string; version: string | undefined }, line: string) {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = `${tab.text}${line}\n`;
      const answer = await alone(() =>
        api(`/files/${FILE}`, {
          method: "PUT",
          headers: tab.version === undefined ? { "if-none-match": "*" } : { "if-match": tab.version }, // prettier-ignore
          body: JSON.stringify({ text }),
        }),
      );
      if (answer.ok) {
        tab.version = ((await answer.json()) as { version: string }).version;
        tab.text = text;
        return true;
      }
      if (answer.status !== 409 && answer.status !== 412) throw new Error(`PUT: ${answer.status} ${await answer.text()}`); // prettier-ignore
      Object.assign(tab, await load());
    }
    return false;
  }

  /** Sends a message to the model; resolves when its run has ended. */
  async function sendMessage(): Promise<void> {
    const sent = await api("/messages", { method: "POST", body: JSON.stringify({ text: "Write it anew" }) }); // prettier-ignore
    const { run, after } = (await sent.json()) as { run: string; after: number };
    const leave = new AbortController();
    const events = await api(`/events?after=${after}`, { signal: leave.signal });
    let received = "";
    for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
      received += piece;
      if (received.includes(`"type":"run-end","run":"${run}"`)) break;
    }
    leave.abort();
  }

  /** All that is kept anywhere, as one text. */
  function everything(): string {
    const objects = (directory: string) =>
      execFileSync("git", ["-c", "safe.directory=*", "--git-dir", directory, "cat-file", "--batch-all-objects", "--batch", "--buffer"], { maxBuffer: 1e9 }).toString(); // prettier-ignore
    const repository = join(data, "projects", project, "state", "checkpoints.git");
    return [
      ...textsIn(folder).values(),
      ...textsIn(second).values(),
      objects(join(folder, ".git")),
      // The first checkpoint comes a moment after the first turn's end.
      ...(existsSync(join(repository, "refs")) ? [objects(repository)] : []),
    ].join("\n");
  }

  const textsIn = (directory: string) =>
    new Map(
      readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, readFileSync(join(directory, name), "utf8")]),
    );

  /** Everything that a person does with git beside it, in an order of its own. What git refuses, it says by a status. */
  function useGit(choice: number): void {
    const tried = (...words: string[]) => {
      try {
        git(...words);
      } catch {
        // A change is in the way, or there is nothing to do.
      }
    };
    git("add", "-A");
    if (choice === 1) {
      tried("stash");
      tried("clean", "-fdq");
      tried("stash", "pop");
    }
    // The result of an interrupted pop is accepted: it contains both texts.
    git("add", "-A");
    git("commit", "-qm", "more", "--allow-empty");
    if (choice === 2) {
      tried("switch", "-q", "-c", `side-${git("rev-parse", "HEAD").toString().slice(0, 12)}`);
      tried("switch", "-q", "-");
    }
    if (choice === 3) tried("gc", "-q");
  }

  return {
    async work(seed, acts) {
      const number = numbersOf(seed);
      const typed: string[] = [];
      const refused: string[] = [];
      const each = async (name: string, act: (line: string) => Promise<boolean>) => {
        for (let n = 0; n < acts; n++) {
          for (let turns = number(40); turns > 0; turns--) await turn();
          const line = `<${name}-${seed}-${n}>`;
          if (await act(line)) typed.push(line);
          else refused.push(line);
        }
      };
      const tab = async (name: string) => {
        const has = await load();
        await each(name, (line) => type(has, line));
      };
      const editor = (line: string) => {
        appendFileSync(join(folder, FILE), `${line}\n`);
        return Promise.resolve(true);
      };
      const editorThere = (line: string) => {
        appendFileSync(join(second, FILE), `${line}\n`);
        return Promise.resolve(true);
      };
      const repository = async () => {
        await alone(() => useGit(copy ? 0 : number(4)));
        return false;
      };
      const talk = async () => {
        for (let n = 0; n < Math.ceil(acts / 8); n++) await sendMessage();
      };
      mkdirSync(second, { recursive: true });
      const step = copy ? keepInStep("--remove-many") : undefined;
      const work = [
        ...(copy ? [each("there", editorThere)] : []),
        tab("left"),
        tab("right"),
        each("editor", editor),
        each("git", repository),
        talk(),
      ];
      await Promise.all(work);
      const problems: string[] = [];
      if (step) {
        const exited = ended(step);
        step.kill("SIGTERM");
        await exited;
        if ((await ended(keepInStep("--once", "--remove-many"))) !== 0) problems.push("the folder is not in step"); // prettier-ignore
        const [here, there] = [textsIn(folder), textsIn(second)];
        for (const name of new Set([...here.keys(), ...there.keys()]))
          if (here.get(name) !== there.get(name)) problems.push(`${name} differs in the folder that is kept in step`); // prettier-ignore
      }
      const found = everything();
      return [
        ...problems,
        ...typed.filter((line) => !found.includes(line)).map((line) => `${line} is nowhere`),
        ...refused
          .filter((line) => !line.startsWith("<git"))
          .map((line) => `${line} was never taken`),
      ];
    },
    async close() {
      await treadle.kill("SIGTERM");
      await model.close();
      rmSync(around, { recursive: true, force: true });
    },
  };
}
