import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import type { LogEntry } from "@treadle/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { startTestServer, type TestServer } from "./server.test-support.ts";
import { BEHIND_CHARS, WINDOW_CHARS } from "@treadle/terminals";
import { ListenError } from "@treadle/common";

let server: TestServer;
let port: number;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ port, url } = await server.listen());
});
afterAll(() => server.close());

const bearer = () => ({ authorization: `Bearer ${server.treadle.token}` });

const refusal = (host: string, status: number) =>
  server.treadle.listen({ host, port: status }).then(
    () => undefined,
    (error: unknown) => error as ListenError,
  );

describe("listening", () => {
  it.each(["0.0.0.0", "::", "192.168.1.7", "example.com"])(
    "A8 refuses %s without sign-in and says why",
    async (host) => {
      const error = await refusal(host, 0);
      expect(error).toBeInstanceOf(ListenError);
      expect(error?.code).toBe("not-loopback");
      expect(error?.message).toContain("without sign-in");
    },
  );

  it("reports that a port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const taken = (other.address() as AddressInfo).port;
    const error = await refusal("127.0.0.1", taken);
    expect(error?.code).toBe("in-use");
    expect(error?.message).toContain(String(taken));
    await new Promise((resolve) => other.close(resolve));
  });

  it("accepts WebSockets on its port and under its own names only (A1)", async () => {
    const status = (path: string, headers: Record<string, string> = {}) =>
      new Promise((resolve, reject) => {
        get(`${url}${path}`, { headers: { ...bearer(), ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on("error", reject);
      });
    expect(await status("/api/health")).toBe(200);
    expect(await status("/api/health", { host: `localhost:${port + 1}` })).toBe(403);
    expect(await status("/api/health", { host: "evil.com" })).toBe(403);
    expect(await status("/api/nothing")).toBe(404);
  });
});

describe("terminals over WebSocket", () => {
  const address = (project: string, name = "one") =>
    `ws://localhost:${port}/api/projects/${project}/terminals/${name}?columns=100&rows=30`;
  const cookie = () => `treadle-${port}=${server.treadle.token}`;

  /** Returns `open`, or the status of the refusal. */
  const tried = (project: string, headers: Record<string, string>) =>
    new Promise<string | number>((resolve) => {
      const socket = new WebSocket(address(project), { headers });
      socket.on("unexpected-response", (_request, response) => {
        resolve(response.statusCode ?? 0);
        socket.terminate();
      });
      socket.on("error", () => undefined);
      socket.on("open", () => {
        socket.terminate();
        resolve("open");
      });
    });

  it("A4 A6 refuses a foreign or missing Origin before the upgrade, whatever the cookie", async () => {
    const project = await server.project();
    expect(await tried(project, { origin: "http://evil.com", cookie: cookie() })).toBe(403);
    expect(await tried(project, { origin: "null", cookie: cookie() })).toBe(403);
    expect(await tried(project, { origin: `http://k.localhost:${port}`, cookie: cookie() })).toBe(
      403,
    );
    expect(await tried(project, { cookie: cookie() })).toBe(403);
    expect(await tried(project, { origin: url })).toBe(401);
    expect(await tried(project, { origin: url, cookie: `treadle-${port}=x` })).toBe(401);
    expect(await tried(project, { host: "evil.com", ...bearer() })).toBe(403);
    expect(server.workspace(project).terminals).toEqual([]);
    expect(await tried(project, { origin: url, cookie: cookie() })).toBe("open");
    expect(await tried("nosuch", bearer())).toBe(404);
  });

  it("connects page and shell; a page that reconnects finds the earlier output", async () => {
    const project = await server.project();
    const open = () => {
      const socket = new WebSocket(address(project, "two"), { headers: bearer() });
      const next = () =>
        new Promise<unknown>((resolve) => {
          const take = (data: unknown) => {
            const message = JSON.parse(String(data)) as { type: string };
            // Changes of the listening ports are reported at any time.
            if (message.type === "ports") return;
            socket.off("message", take);
            resolve(message);
          };
          socket.on("message", take);
        });
      return { socket, next };
    };
    const first = open();
    // Typed before the shell has started.
    first.socket.on("open", () =>
      first.socket.send(JSON.stringify({ type: "data", data: "ls\n" })),
    );
    const echoed = first.next();
    await expect.poll(() => server.workspace(project).terminals[0]?.written).toEqual(["ls\n"]);
    const terminal = server.workspace(project).terminals[0];
    terminal?.print("README.md\r\n");
    expect(await echoed).toEqual({ type: "data", data: "README.md\r\n" });
    first.socket.terminate();

    const second = open();
    expect(await second.next()).toEqual({ type: "past", data: "README.md\r\n" });
    second.socket.send("not JSON");
    second.socket.send(JSON.stringify({ type: "resize", columns: 1e9, rows: -1 }));
    await expect.poll(() => terminal?.sizes.at(-1)).toEqual({ columns: 1000, rows: 2 });
    const exit = second.next();
    terminal?.kill();
    expect(await exit).toEqual({ type: "exit", code: 0 });
    expect(server.workspace(project).terminals).toHaveLength(1);
    expect(await names(project)).toEqual(["two"]);

    // After the shell's end its text stays, above that of the next one, until it is closed.
    const third = open();
    expect(await third.next()).toEqual({
      type: "past",
      data: expect.stringMatching(/^README\.md\r\n[^]*this is a new one[^]*\r\n$/),
    });
    const ended = third.next();
    const path = `/api/projects/${project}/terminals/two`;
    expect((await server.api(path, { method: "DELETE" })).status).toBe(200);
    expect(await ended).toEqual({ type: "exit", code: 0 });
    expect(await names(project)).toEqual([]);
    expect(server.workspace(project).terminals[1]?.killed).toBe(true);
  });

  it("F19 sends a slow page the newest output, and blocks nobody", async () => {
    const project = await server.project();
    const open = () => new WebSocket(address(project, "3"), { headers: bearer() });
    const got = (socket: WebSocket) => {
      const messages: { type: string; data?: string }[] = [];
      socket.on("message", (data) => messages.push(JSON.parse(String(data))));
      return messages;
    };
    const slow = open();
    const seen = got(slow);
    await expect.poll(() => server.workspace(project).terminals.length).toBe(1);
    const terminal = server.workspace(project).terminals[0]!;
    await new Promise((resolve) => {
      slow.once("message", resolve);
      terminal.print("begin\r\n");
    });
    // From now on, output waits for its acknowledgement.
    slow.send(JSON.stringify({ type: "drawn", characters: 1 }));
    slow.send(JSON.stringify({ type: "data", data: "x" }));
    await expect.poll(() => terminal.written).toEqual(["x"]);
    const ends = (data = "") => data.endsWith("the end\r\n");
    const line = `${"z".repeat(1022)}\r\n`;
    for (let n = 0; n < 4096; n++) terminal.print(line);
    terminal.print("the end\r\n");
    await expect.poll(() => seen.length).toBeGreaterThan(400);
    // At most one window is in transit, whatever was printed.
    const characters = () => seen.reduce((sum, { data = "" }) => sum + data.length, 0);
    expect(characters()).toBeLessThanOrEqual(WINDOW_CHARS + line.length);
    // Once the page draws again, it receives the newest output, not all that it missed.
    const held = seen.length;
    slow.on("message", (data) => {
      const { data: text = "" } = JSON.parse(String(data)) as { data?: string };
      slow.send(JSON.stringify({ type: "drawn", characters: text.length }));
    });
    slow.send(JSON.stringify({ type: "drawn", characters: characters() }));
    await expect.poll(() => seen.slice(held).some(({ data }) => ends(data))).toBe(true);
    expect(seen[held]).toMatchObject({ type: "past" });
    expect(seen[held]).not.toHaveProperty("goesOn");
    const newest = seen.slice(held, seen.findIndex(({ data }) => ends(data)) + 1);
    expect(newest.reduce((sum, { data = "" }) => sum + data.length, 0)).toBeLessThan(
      2 * BEHIND_CHARS,
    );
    slow.terminate();
  });

  const names = async (project: string) => {
    const response = await server.api(`/api/projects/${project}/terminals`);
    return ((await response.json()) as { terminals: string[] }).terminals;
  };
});

describe("the live log over WebSocket", () => {
  const address = (project: string, after = 0) =>
    `ws://localhost:${port}/api/projects/${project}/events?after=${after}`;
  const cookie = () => `treadle-${port}=${server.treadle.token}`;

  /** Reads entries until `enough`, and then disconnects. */
  const read = (project: string, after: number, enough: (got: unknown[]) => boolean) =>
    new Promise<unknown[]>((resolve, reject) => {
      const got: unknown[] = [];
      const socket = new WebSocket(address(project, after), { headers: bearer() });
      socket.on("error", reject);
      socket.on("message", (data) => {
        const entries = JSON.parse(String(data)) as LogEntry[] | "reset";
        got.push(...(entries === "reset" ? [entries] : entries.map(({ seq }) => seq)));
        if (!enough(got)) return;
        socket.terminate();
        resolve(got);
      });
    });

  it("A4 A6 refuses a foreign or missing Origin before the upgrade, whatever the cookie", async () => {
    const project = await server.project();
    const refused = (id: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve) => {
        const socket = new WebSocket(address(id), { headers });
        socket.on("error", () => undefined);
        socket.on("open", () => resolve(undefined));
        socket.on("unexpected-response", (_request, response) => {
          resolve(response.statusCode);
          socket.terminate();
        });
      });
    expect(await refused(project, { origin: "http://evil.com", cookie: cookie() })).toBe(403);
    expect(await refused(project, { cookie: cookie() })).toBe(403);
    expect(await refused(project, { origin: url })).toBe(401);
    expect(await refused("nosuch", bearer())).toBe(404);
  });

  it("F10 continues where a page disconnected, without gap or duplicate; F11 a page with a later position starts over", async () => {
    const project = await server.project();
    const text = (piece: string) => ({ type: "text" as const, run: "r", id: "t", text: piece });
    const first = await read(project, 0, (got) => got.length >= 2);
    const last = Number(first.at(-1));
    for (let n = 0; n < 300; n++) server.store.log.append(project, text(String(n)));
    const head = await server.store.log.head(project);
    const second = await read(project, last, (got) => got.includes(head));
    expect([...first, ...second]).toEqual(Array.from({ length: head }, (_, index) => index + 1));
    const anew = await read(project, head + 9, (got) => got.includes(head));
    expect(anew.slice(0, 2)).toEqual(["reset", 1]);
  });

  it("F19 a page that does not read blocks nothing", async () => {
    const project = await server.project();
    const slow = new WebSocket(address(project), { headers: bearer() });
    await new Promise((resolve) => slow.once("open", resolve));
    slow.pause();
    const big = "x".repeat(10_000);
    for (let n = 0; n < 500; n++)
      server.store.log.append(project, { type: "text", run: "r", id: "t", text: big });
    const head = await server.store.log.head(project);
    const quick = await read(project, 0, (got) => got.includes(head));
    expect(quick).toHaveLength(head);
    slow.terminate();
  });
});
