/**
 * Many hands on the same file at once: two tabs, an editor beside Treadle, git, the model (F12, F13). Whatever a person typed
 * and was told to be kept has to be in the file, in git or in the history at the end.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"; // prettier-ignore
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createScriptedModel } from "@treadle/scripted-model";
import { scriptNamed } from "./stage.ts";
import { scriptedBy, startTreadle } from "./treadle.ts";

export interface Hands {
  /** Lets all of them work, so many acts each, in an order that the seed chooses. @returns what is nowhere, in sentences */
  work(seed: number, acts: number): Promise<string[]>;
  close(): Promise<void>;
}

const FILE = "shared.txt";
/** A conflict is merged and saved again at most so often. */
const TRIES = 200;

/** The same numbers for the same seed, from 0 to below `limit` (mulberry32). */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export async function openHands(): Promise<Hands> {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "treadle-hands-")));
  const folder = join(around, "theirs");
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

  const load = async () => {
    const answer = await api(`/files/${FILE}`);
    if (answer.status === 404) return { text: "", version: undefined };
    return (await answer.json()) as { text: string; version: string | undefined };
  };

  /** A tab: types into what it has, and where another was first, into what stands then. @returns whether it was kept */
  async function type(tab: { text: string; version: string | undefined }, line: string) {
    for (let tries = 0; tries < TRIES; tries++) {
      const text = `${tab.text}${line}\n`;
      const answer = await api(`/files/${FILE}`, {
        method: "PUT",
        headers: tab.version === undefined ? { "if-none-match": "*" } : { "if-match": tab.version },
        body: JSON.stringify({ text }),
      });
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

  /** Something is said to the model; resolves when its run has ended. */
  async function say(): Promise<void> {
    const sent = await api("/messages", { method: "POST", body: JSON.stringify({ text: "Write it anew" }) }); // prettier-ignore
    const { run, after } = (await sent.json()) as { run: string; after: number };
    const leave = new AbortController();
    const events = await api(`/events?after=${after}`, { signal: leave.signal });
    let told = "";
    for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
      told += piece;
      if (told.includes(`"type":"run-end","run":"${run}"`)) break;
    }
    leave.abort();
  }

  /** All that is kept anywhere, as one text. */
  function everything(): string {
    const objects = (directory: string) =>
      execFileSync("git", ["-c", "safe.directory=*", "--git-dir", directory, "cat-file", "--batch-all-objects", "--batch", "--buffer"], { maxBuffer: 1e9 }).toString(); // prettier-ignore
    const kept = join(data, "projects", project, "state", "checkpoints.git");
    const files = readdirSync(folder).filter((name) => name !== ".git");
    const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
    return [...texts, objects(join(folder, ".git")), objects(kept)].join("\n");
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
      const repository = async () => {
        git("add", "-A");
        git("commit", "-qm", "more", "--allow-empty");
        return false;
      };
      const talk = async () => {
        for (let n = 0; n < Math.ceil(acts / 8); n++) await say();
      };
      const work = [
        tab("left"),
        tab("right"),
        each("editor", editor),
        each("git", repository),
        talk(),
      ];
      await Promise.all(work);
      const kept = everything();
      return [
        ...typed.filter((line) => !kept.includes(line)).map((line) => `${line} is nowhere`),
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
