/**
 * F1–F25 and A25 through the whole product: the server in its own process, its sandbox, the wire.
 * Each has more tests where it is handled (docs/attacks.md); F2, F16 and F26 are in
 * `faults-in-time.test.ts`, F5 and F17 in `soak/waits.ts`, the other F numbers in the neighbouring
 * files.
 */
import { randomBytes } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync, type Zippable } from "fflate";
import { describe, expect, it } from "vitest";
import { scriptNamed, setStage, type Stage } from "./support/stage.ts";
import { LATE, talkTo } from "./support/talk.ts";

let { treadle } = {} as Stage;
let project: string;
setStage({ script: scriptNamed("faults"), page: false }, async (stage) => {
  ({ treadle } = stage);
  const made = await treadle.api("/api/projects", { method: "POST", body: "{}" });
  ({ id: project } = (await made.json()) as { id: string });
  expect((await put("kept.txt", "as it was\n")).status).toBe(201);
});

const { api, read, send, ends, sendAndWait } = talkTo(
  () => treadle,
  () => project,
);
const file = (path: string) => `/files/${path.split("/").map(encodeURIComponent).join("/")}`;
const onDisk = (path: string) => readFileSync(join(treadle.data, "projects", project, "files", path)); // prettier-ignore

async function put(path: string, content: string | Uint8Array, version?: string) {
  const isText = typeof content === "string";
  const answer = await api(file(path), {
    method: "PUT",
    headers: {
      "content-type": isText ? "application/json" : "application/octet-stream",
      ...(version === undefined ? { "if-none-match": "*" } : { "if-match": version }),
    },
    body: isText ? JSON.stringify({ text: content }) : new Uint8Array(content),
  });
  const isJson = answer.headers.get("content-type")?.includes("json");
  const body = (isJson ? await answer.json() : { error: { message: await answer.text() } }) as { version: string; error?: { code: string; message: string; version?: string } }; // prettier-ignore
  return { status: answer.status, ...body };
}

describe("a model that fails", () => {
  it(
    "F1 is cut off within a file: the old file stays, and the answer is continued automatically",
    async () => {
      const { eventsOf, end } = await sendAndWait("Cut in a file");
      expect(onDisk("kept.txt").toString()).toBe("as it was\n");
      expect(end.outcome).toBe("done");
      expect(eventsOf("waiting").map(({ reason }) => reason)).toEqual(["retry"]);
      expect(eventsOf("call-end").map(({ status }) => status)).toContain("interrupted");
      expect(eventsOf("run-end")).toHaveLength(1);
    },
    LATE,
  );

  it(
    "F3 F4 sends an error first, or has too many requests: the request is repeated, and that is shown",
    async () => {
      expect((await sendAndWait("Error at once")).end.outcome).toBe("done");
      const { eventsOf, end } = await sendAndWait("Too many");
      expect(end.outcome).toBe("done");
      expect(eventsOf("waiting").length).toBeGreaterThan(0);
    },
    LATE,
  );

  it(
    "F6 sends invalid JSON arguments, and an unknown tool: it is told, and continues",
    async () => {
      const { eventsOf, end } = await sendAndWait("Malformed");
      expect(end.outcome).toBe("done");
      expect(eventsOf("call-end").every(({ status }) => status !== "ok")).toBe(true);
      expect(onDisk("kept.txt").toString()).toBe("as it was\n");
    },
    LATE,
  );
});

describe("writers and readers", () => {
  it(
    "F10 F14 two simultaneous messages are processed one after the other; a disconnected reader misses nothing",
    async () => {
      const [first, second] = [await send("One"), await send("Two")];
      const fullLog = await read(first.after, ends(second.run));
      const messages = fullLog.flatMap(({ event }) => (event.type === "message" ? [event] : []));
      expect(messages.map(({ text }) => text)).toEqual(["One", "Two"]);
      const order = fullLog.flatMap(({ event }) => event.type === "run-start" || event.type === "run-end" ? [`${event.type} ${event.run}`] : []); // prettier-ignore
      expect(order.indexOf(`run-end ${first.run}`)).toBeLessThan(order.indexOf(`run-start ${second.run}`)); // prettier-ignore
      const half = fullLog[Math.floor(fullLog.length / 2)]!.seq;
      const rest = await read(half, ends(second.run));
      expect(rest.map(({ seq }) => seq)).toEqual(fullLog.map(({ seq }) => seq).filter((seq) => seq > half)); // prettier-ignore
    },
    LATE,
  );

  it("F11 a reader with a position beyond the end starts over", async () => {
    const stop = new AbortController();
    const answer = await api("/events?after=999999", { signal: stop.signal });
    const { value } = await answer.body!.pipeThrough(new TextDecoderStream()).getReader().read();
    stop.abort();
    expect(value).toContain("event: reset");
  });

  it("F12 the second of two writers gets the current version, and nothing is overwritten", async () => {
    const { version } = await put("two.txt", "first\n");
    expect((await put("two.txt", "of the left\n", version)).status).toBe(200);
    const late = await put("two.txt", "of the right\n", version);
    expect(late.status).toBe(409);
    expect(onDisk("two.txt").toString()).toBe("of the left\n");
    const current = (await (await api(file("two.txt"))).json()) as { version: string };
    expect((await put("two.txt", "both\n", current.version)).status).toBe(200);
  });

  it(
    "F19 a slow reader delays nobody",
    async () => {
      const stop = new AbortController();
      await api("/events", { signal: stop.signal });
      expect((await sendAndWait("And now")).end.outcome).toBe("done");
      stop.abort();
    },
    LATE,
  );
});

describe("commands and servers", () => {
  it(
    "F18 100 MB in one line: limited in the log, head and tail for the model, and the page's server still answers",
    async () => {
      const { run, after } = await send("Flood");
      expect((await treadle.api("/api/health")).ok).toBe(true);
      const entries = await read(after, ends(run));
      expect(JSON.stringify(entries).length).toBeLessThan(20 * 1024 * 1024);
      const result = entries.flatMap(({ event }) => (event.type === "call-end" ? [event] : [])).at(-1)!; // prettier-ignore
      expect(result.status).toBe("ok");
      expect(result.result).toContain("flooded");
      expect(result.result.length).toBeLessThan(100_000);
    },
    LATE,
  );

  it(
    "F15 a server that exits immediately: its last lines are shown, and it is not restarted forever",
    async () => {
      const { eventsOf } = await sendAndWait("Crash");
      expect(eventsOf("server").at(-1)?.server.state).toBe("crashed");
      expect(JSON.stringify(eventsOf("call-end"))).toContain("last words");
      expect(
        eventsOf("server").filter(({ server }) => server.state === "starting").length,
      ).toBeLessThan(6);
    },
    LATE,
  );
});

describe("large and unusual files", () => {
  it(
    "F20 1 GB is listed with its size, and not loaded",
    async () => {
      const folder = join(treadle.data, "projects", project, "files", "large");
      mkdirSync(folder);
      const large = openSync(join(folder, "film.mp4"), "w");
      ftruncateSync(large, 1024 ** 3);
      closeSync(large);
      const { files } = (await (await api("/files")).json()) as { files: { path: string; size: number }[] }; // prettier-ignore
      expect(files.find(({ path }) => path === "large/film.mp4")?.size).toBe(1024 ** 3);
      expect((await api(file("large/film.mp4"))).status).toBe(413);
      const part = await api(`${file("large/film.mp4")}?raw`, { headers: { range: "bytes=0-9" } });
      expect((await part.arrayBuffer()).byteLength).toBe(10);
    },
    LATE,
  );

  it.each([
    ["F21 zeros and noise", Uint8Array.from([0, 1, 2, ...randomBytes(5_000), 0])],
    ["F22 half a character", Uint8Array.from([0xe2, 0x82, 0x61, 0xff, 0x0a])],
    [
      "F23 a byte order mark, both line ends and none at the end",
      Buffer.from("\uFEFFone\r\ntwo\nthree"),
    ],
  ])("%s are read as they were written", async (name, bytes) => {
    const path = `odd/${name.slice(0, 3)}.bin`;
    expect((await put(path, bytes)).status).toBe(201);
    const body = (await (await api(file(path))).json()) as { binary: boolean; text?: string };
    expect(body.binary).toBe(!name.startsWith("F23"));
    expect(Buffer.from(await (await api(`${file(path)}?raw`)).arrayBuffer()).equals(bytes)).toBe(true); // prettier-ignore
    expect(onDisk(path).equals(bytes)).toBe(true);
  });

  it("F24 names in every script are created and listed unchanged, or refused with the reason", async () => {
    const names = ["🌻.txt", "größe.txt", "gro\u0308ße.txt", "日本語/ファイル.ts", "-rf", "a'b\"c.txt", "two words.txt", "עברית.md", "CON", `${"x".repeat(250)}.txt`]; // prettier-ignore
    const made: string[] = [];
    for (const name of names) {
      const { status, error } = await put(`names/${name}`, "x");
      if (status === 201) made.push(`names/${name}`);
      else expect(error?.message, name).toMatch(/\w/);
    }
    expect(made.length).toBeGreaterThanOrEqual(8);
    const { files } = (await (await api("/files")).json()) as { files: { path: string }[] };
    const listed = files.map(({ path }) => path);
    expect(made.filter((path) => !listed.includes(path))).toEqual([]);
    for (const bad of ["a/\0b", "x".repeat(300), ".git/config"])
      expect((await put(`names/${bad}`, "x")).status, bad).toBeGreaterThanOrEqual(400);
  });

  it(
    "F25 thousands of files written at once are listed, and the server still answers",
    async () => {
      const folder = join(treadle.data, "projects", project, "files", "many");
      mkdirSync(folder);
      for (let n = 0; n < 5_000; n++) closeSync(openSync(join(folder, `${n}.txt`), "w"));
      await expect
        .poll(
          async () => ((await (await api("/files")).json()) as { files: { path: string }[] }).files.filter(({ path }) => path.startsWith("many/")).length, // prettier-ignore
          { timeout: 60_000 },
        )
        .toBe(5_000);
    },
    LATE,
  );

  it("A25 archives that lead outside, contain links or are invalid are refused, and leave nothing", async () => {
    const count = async () => ((await (await treadle.api("/api/projects")).json()) as { projects: [] }).projects.length; // prettier-ignore
    const before = await count();
    const x = new TextEncoder().encode("x");
    const archives: Zippable[] = [
      { "../evil.txt": x },
      { "/etc/evil": x },
      { "C:/evil.txt": x },
      { link: [x, { os: 3, attrs: 0o120777 * 65_536 }], "link/in.txt": x },
    ];
    for (const bad of [...archives.map((files) => zipSync(files)), x]) {
      const answer = await treadle.api("/api/import", { method: "POST", headers: { "content-type": "application/zip" }, body: new Uint8Array(bad) }); // prettier-ignore
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await count()).toBe(before);
  });
});
