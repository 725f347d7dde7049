import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Author } from "@treadle/protocol";
import type { KeptText } from "@treadle/common";
import type { Terminal, Workspace } from "@treadle/workspace";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createTerminals, type ProjectTerminals } from "./project-terminals.ts";

const SIZE = { columns: 80, rows: 24 };
const ada: Author = { id: "ada", name: "Ada" };
const bob: Author = { id: "bob", name: "Bob" };

let folder: string;
let written: string[];
let print: (text: string) => void;
let killed: number;
const open = () =>
  createTerminals({
    folder,
    onUse() {},
    open: async () =>
      ({
        async terminal() {
          return {
            onData: (listener: (data: string) => void) => void (print = listener),
            onExit() {},
            write: (data: string) => void written.push(data),
            resize() {},
            kill: () => void killed++,
          } as unknown as Terminal;
        },
      }) as unknown as Workspace,
  });
let terminals: ProjectTerminals;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "treadle-terminals-"));
  [written, killed] = [[], 0];
  terminals = open();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const attach = (person: Author | undefined, onUnshared = () => {}) =>
  terminals.attach("1", SIZE, { person, onUnshared });
const refused = expect.objectContaining({ status: 403, code: "not-shared" }) as Error;

it("a terminal is its opener's: others see that it exists and whose it is, and nothing of its output", async () => {
  await attach(ada);
  print("secret");
  await expect(attach(bob)).rejects.toEqual(refused);
  expect(await terminals.read("1", bob)).toBeUndefined();
  expect(await terminals.read(undefined, bob)).toBeUndefined();
  expect((await terminals.read("1", ada))?.text).toBe("secret");
  expect(await terminals.entries(bob)).toEqual([{ name: "1", owner: ada, access: undefined }]);
  await expect(terminals.label("1", "mine", bob)).rejects.toEqual(refused);
  await expect(terminals.share("1", "type", bob)).rejects.toEqual(refused);
  await expect(terminals.end("1", bob, false)).rejects.toEqual(refused);
  expect(killed).toBe(0);
});

it("a shared terminal shows its output, and takes input only if it is shared for typing", async () => {
  const { terminal: own } = await attach(ada);
  await terminals.share("1", "see", ada);
  const { terminal: seen } = await attach(bob);
  print("hello");
  expect((seen.text as KeptText).tail(100)).toBe("hello");
  seen.write("rm -rf /");
  seen.clear();
  expect((seen.text as KeptText).tail(100)).toBe("hello");
  await terminals.share("1", "type", ada);
  seen.write("ls");
  own.write("pwd");
  expect(written).toEqual(["ls", "pwd"]);
});

it("whoever it is no longer shared with is disconnected at once, and types no more", async () => {
  let ended = 0;
  let endedOwn = 0;
  await attach(ada, () => endedOwn++);
  await terminals.share("1", "type", ada);
  const { terminal } = await attach(bob, () => ended++);
  const saving = terminals.share("1", undefined, ada);
  await saving;
  terminal.write("ls");
  expect([ended, endedOwn, written]).toEqual([1, 0, []]);
});

it("an owner of the project ends anybody's, and whoever opens that name next owns it", async () => {
  await attach(ada);
  await terminals.end("1", bob, true);
  expect(killed).toBe(1);
  await attach(bob);
  expect(await terminals.entries(ada)).toMatchObject([{ name: "1", owner: bob }]);
});

it("ownership outlives a restart", async () => {
  await attach(ada);
  print("text");
  await terminals.share("1", "see", ada);
  await terminals.clear();
  terminals = open();
  await expect(terminals.label("1", "x", bob)).rejects.toEqual(refused);
  expect(await terminals.entries(bob)).toMatchObject([
    { owner: ada, sharing: "see", access: "see" },
  ]);
});

it("of two who open the same name at once, one owns it", async () => {
  const results = await Promise.allSettled([attach(ada), attach(bob)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

it("one person alone has all terminals", async () => {
  await attach(undefined);
  expect(await terminals.entries(undefined)).toEqual([{ name: "1", access: "type" }]);
  await terminals.end("1", undefined, false);
  expect(killed).toBe(1);
});
