import type { TogetherFromPage, TogetherToPage } from "@treadle/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRoom, type Room } from "./room.ts";
import type { SharedDisk } from "./shared-file.ts";
import type { TogetherLine } from "../../../apps/web/src/together/together-store.ts";
import { SharedDocument } from "../../../apps/web/src/files/shared-document.ts";

const PATH = "notes.md";
const START = "# Notes\n\none\ntwo\nthree\n";

/** Characters that occur nowhere else, so that each that was typed can be accounted for. */
const FIRST_TYPED = 0x4e00;
const isTyped = (character: string) => character.charCodeAt(0) >= FIRST_TYPED;

/** A disk that answers when it is told to, and knows every content that it has had. */
function createDisk() {
  const history = [START];
  let version = 0;
  const waiting: (() => void)[] = [];
  const later = <Result>(act: () => Result) =>
    new Promise<Result>((resolve) => waiting.push(() => resolve(act())));
  const put = (content: string) => {
    history.push(content);
    version++;
  };
  const disk: SharedDisk = {
    read: () => later(() => ({ content: history.at(-1)!, version: String(version) })),
    write: (content, expected) =>
      later(() => {
        if (expected !== String(version)) return undefined;
        put(content);
        return String(version);
      }),
  };
  return { disk, history, put, waiting, content: () => history.at(-1)! };
}

/** One editor's page: its messages wait in both directions, and are lost with the connection. */
function createEditor(room: Room, name: string, onDone: () => void) {
  let inside: ReturnType<Room["join"]> | undefined;
  let listener: Parameters<TogetherLine["follow"]>[1] | undefined;
  let up: TogetherFromPage[] = [];
  let down: TogetherToPage[] = [];
  const line: TogetherLine = {
    send: (message) => void (inside && up.push(message)),
    get isOpen() {
      return inside !== undefined;
    },
    follow(_path, one) {
      listener = one;
      return () => {};
    },
  };
  const document = new SharedDocument({ line, path: PATH, onStatus: onDone });
  void document.open();
  return {
    document,
    connect() {
      if (inside) return;
      const received: TogetherToPage[] = [];
      down = received;
      up = [];
      inside = room.join({
        person: { id: name, name },
        mayEdit: true,
        send: (message) => received.push(message),
      });
      listener?.onOpen();
    },
    disconnect() {
      inside?.leave();
      inside = undefined;
      listener?.onLost();
    },
    deliverUp() {
      const message = up.shift();
      if (message) inside?.take(message);
      return message !== undefined;
    },
    deliverDown() {
      const message = inside && down.shift();
      if (message && "path" in message) listener?.onMessage(message);
      return message !== undefined;
    },
  };
}

const Op = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("type" as const), who: fc.nat(2), at: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("delete" as const), who: fc.nat(2), at: fc.nat() }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("up" as const), who: fc.nat(2) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("down" as const), who: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom("connect" as const, "disconnect" as const),
      who: fc.nat(2),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("disk" as const, "timer" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("model" as const, "checkout" as const),
      at: fc.nat(),
    }),
  },
);

it("accounts for every character, however three people, a model and git change a file at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Op, { minLength: 20, maxLength: 250 }), async (ops) => {
      const { disk, history, put, waiting, content } = createDisk();
      const timers: (() => void)[] = [];
      const after = (_ms: number, act: () => void) => {
        timers.push(act);
        return () => void (timers.includes(act) && timers.splice(timers.indexOf(act), 1));
      };
      const room = createRoom(() => disk, after);
      const editors = ["ada", "bob", "eve"].map((name) => createEditor(room, name, () => {}));
      const settle = async () => {
        for (let turn = 0; turn < 8; turn++) await Promise.resolve();
      };
      /** Characters that somebody removed who saw them: a person, or what replaced the disk's text. */
      const removed = new Set<string>();
      const typed: string[] = [];
      /** Somebody else writes the file, from the text that is on the disk. */
      const writeFrom = (next: string) => {
        for (const character of content())
          if (isTyped(character) && !next.includes(character)) removed.add(character);
        put(next);
        room.changed(PATH, undefined);
      };
      const quiet = async () => {
        for (let still = 0; still < 3;) {
          await settle();
          const moved = [
            ...editors.flatMap((one) => [one.deliverUp(), one.deliverDown()]),
            ...[waiting.shift(), timers.shift()].map((act) => (act?.(), act !== undefined)),
          ];
          still = moved.includes(true) ? 0 : still + 1;
        }
      };
      for (const one of editors) one.connect();
      await quiet();
      for (const op of ops) {
        const editor = "who" in op ? editors[op.who]! : undefined;
        const text = editor?.document.shared();
        if (op.kind === "type" && text) {
          const character = String.fromCharCode(FIRST_TYPED + typed.length);
          typed.push(character);
          text.insert(op.at % (text.length + 1), character);
        } else if (op.kind === "delete" && text && text.length > 0) {
          const at = op.at % text.length;
          removed.add(text.toString()[at]!);
          text.delete(at, 1);
        } else if (op.kind === "up") editor!.deliverUp();
        else if (op.kind === "down") editor!.deliverDown();
        else if (op.kind === "connect") editor!.connect();
        else if (op.kind === "disconnect") editor!.disconnect();
        else if (op.kind === "disk") waiting.shift()?.();
        else if (op.kind === "timer") timers.shift()?.();
        else if (op.kind === "model") {
          const lines = content().split("\n");
          lines.splice(op.at % lines.length, op.at % 2, `model ${op.at % 7}`);
          writeFrom(lines.join("\n"));
        } else if (op.kind === "checkout") writeFrom(history[op.at % history.length]!);
        await settle();
      }
      for (const one of editors) one.connect();
      await quiet();
      const final = content();
      for (const { document } of editors) expect(document.text()).toBe(final);
      for (const character of typed) {
        const count = final.split(character).length - 1;
        expect(count).toBeLessThanOrEqual(1);
        if (!removed.has(character)) expect(count).toBe(1);
      }
      for (const { document } of editors) expect(document.status).toBe("saved");
    }),
    { numRuns: 300 },
  );
});
