import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { FromTab, TabAnswer, TabAsk, ToTab } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { describeWorkspace } from "../contract/describe-workspace.test-support.ts";
import { MemoryDriver, MemoryWorkspace } from "../testing/memory-workspace.test-support.ts";
import type { StartOptions, Workspace, WorkspaceNotice } from "../types.ts";
import { withTabs } from "./tab-driver.ts";
import { createTabWorkspace } from "./tab-workspace.ts";
import { TabLink } from "./tab-link.ts";
import { createTabs } from "./tabs.ts";

describe("the driver webcontainer without a tab", () => {
  describeWorkspace({
    createDriver() {
      const base = new MemoryDriver(
        (_options, contents, checkpoints) => new MemoryWorkspace(contents, checkpoints),
      );
      const tabs = withTabs(base, createTabs());
      return { ...tabs, open: (options) => tabs.open({ ...options, runsIn: "tab" }) };
    },
    only: {
      ids: "W1 W2 W3 W4 W5 W6 W7 W9 W10 W11 W12 W18 W19 W21 W22 W23 W26 W27 W58 W80 W84 W85 W86 W87 W170 W90 W132 W144 W180 W181 W182".split(
        " ",
      ),
      reason:
        "commands and servers are the tab's, whose shell is no bash; it has no pipes, links, limits or data files",
    },
  });
});

/** A tab that the test controls. */
class FakeTab {
  readonly heard: ToTab[] = [];
  readonly files = new Map<string, string>();
  closed: number | undefined;
  readonly #ends: { receive(message: FromTab): void; left(): void };
  readonly #act: (ask: TabAsk, tab: FakeTab, id: number) => TabAnswer | undefined;

  constructor(
    link: TabLink,
    act: (ask: TabAsk, tab: FakeTab, id: number) => TabAnswer | undefined,
  ) {
    this.#act = act;
    this.#ends = link.attach({
      send: (message) => this.#hear(message),
      close: (code) => (this.closed = code),
    });
    this.send({ type: "ready" });
  }

  send(message: FromTab): void {
    this.#ends.receive(message);
  }
  leave(): void {
    this.#ends.left();
  }
  asks = () => this.heard.flatMap((one) => (one.type === "ask" ? [one.ask] : []));

  #hear(message: ToTab): void {
    this.heard.push(message);
    if (message.type === "files") {
      if (message.whole) this.files.clear();
      for (const { path, base64 } of message.files) this.files.set(path, atob(base64));
      for (const path of message.removed) this.files.delete(path);
    }
    if (message.type === "cancel")
      this.send({ type: "answer", id: message.id, answer: ran({ code: 143 }) });
    if (message.type !== "ask") return;
    const answer = this.#act(message.ask, this, message.id);
    if (answer) this.send({ type: "answer", id: message.id, answer });
  }
}

const ran = (more: Partial<Extract<TabAnswer, { kind: "run" }>> = {}): TabAnswer => ({
  kind: "run",
  code: 0,
  written: 0,
  number: Number.MAX_SAFE_INTEGER,
  files: [],
  removed: [],
  ...more,
});
const path = toProjectPath;

describe("a workspace in a tab", () => {
  let base: MemoryWorkspace;
  let link: TabLink;
  let workspace: Workspace;
  let notices: WorkspaceNotice[];
  beforeEach(() => {
    base = new MemoryWorkspace();
    link = new TabLink();
    workspace = createTabWorkspace(base, link);
    notices = [];
    workspace.listen((notice) => notices.push(notice));
    return async () => workspace.stop();
  });
  const waits = () =>
    vi.waitFor(() => expect(notices).toContainEqual({ type: "tab", open: false }));

  it("waits for a tab, reports it once, and continues when it connects", async () => {
    await workspace.files.write(path("a.txt"), "a");
    const both = [workspace.run("one"), workspace.run("two")];
    await waits();
    const tab = new FakeTab(link, () => ran());
    for (const exit of await Promise.all(both))
      expect(exit).toMatchObject({ kind: "exited", code: 0 });
    expect(notices.filter(({ type }) => type === "tab")).toEqual([
      { type: "tab", open: false },
      { type: "tab", open: true },
    ]);
    expect([...tab.files]).toEqual([["a.txt", "a"]]);
  });

  it("sends changes during a run, each before the next request, with its number", async () => {
    const tab = new FakeTab(link, (_ask, { files }) => ran({ code: files.size }));
    expect(await workspace.run("count")).toMatchObject({ code: 0 });
    await workspace.files.write(path("src/a.js"), "1");
    expect(await workspace.run("count")).toMatchObject({ code: 1 });
    await workspace.files.write(path("b.js"), "2");
    base.put(path("by-hand.js"), "3");
    await workspace.files.remove(path("src/a.js"));
    await vi.waitFor(() =>
      expect([...tab.files.keys()].toSorted()).toEqual(["b.js", "by-hand.js"]),
    );
    const numbers = tab.heard.flatMap((one) => (one.type === "files" ? [one.number] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const [first] = tab.heard;
    expect(first).toMatchObject({ type: "files", whole: true });
    // A request names the revision that it is for.
    await workspace.run("count");
    expect(tab.heard.findLast(({ type }) => type === "ask")).toMatchObject({
      revision: await base.revision(),
    });
  });

  /** Servers that the tab was asked for and that nobody has cancelled. */
  const serving = (tab: FakeTab) => {
    const cancelled = new Set(tab.heard.flatMap((one) => (one.type === "cancel" ? [one.id] : [])));
    return tab.heard.flatMap((one) =>
      one.type === "ask" && one.ask.kind === "run" && !cancelled.has(one.id)
        ? [one.ask.command]
        : [],
    );
  };
  /** Runs servers until they are cancelled. */
  const serves = () => undefined;
  const settled = (tab: FakeTab, commands: string[]) =>
    vi.waitFor(() => expect(serving(tab)).toEqual(commands));

  it("leaves one server after two starts at once: the one requested last", async () => {
    const tab = new FakeTab(link, serves);
    const first = workspace.start("npm run one");
    const second = workspace.start("npm run two");
    await settled(tab, ["npm run two"]);
    tab.send({ type: "ports", ports: [{ port: 3000, url: "http://localhost:3000" }] });
    expect(await second).toMatchObject({ state: "up", command: "npm run two" });
    await first;
    await workspace.stopServer();
    await settled(tab, []);
  });

  it("leaves no server after a stop during a start that ends the previous one", async () => {
    const tab = new FakeTab(link, serves);
    const first = workspace.start("npm run one");
    await settled(tab, ["npm run one"]);
    const second = workspace.start("npm run two");
    await workspace.stopServer();
    await Promise.all([first, second]);
    await settled(tab, []);
    expect(workspace.server).toMatchObject({ state: "stopped" });
  });

  it("does not start a server that was stopped before a tab connected", async () => {
    const start = workspace.start("npm run dev");
    await waits();
    await workspace.stopServer();
    await start;
    const tab = new FakeTab(link, (ask) =>
      ask.kind === "run" && ask.command === "true" ? ran() : undefined,
    );
    expect(await workspace.run("true")).toMatchObject({ code: 0 });
    expect(serving(tab)).toEqual(["true"]);
  });

  it("copies a command's writes to the project, but not over the person's newer ones", async () => {
    await workspace.files.write(path("mine.txt"), "mine");
    let edited: Promise<unknown> | undefined;
    const tab = new FakeTab(link, (_ask, self, id) => {
      edited = base.files.write(path("mine.txt"), "mine again").then(() =>
        self.send({
          type: "answer",
          id,
          answer: ran({
            files: [
              { path: path("made.txt"), base64: btoa("made") },
              { path: path("mine.txt"), base64: btoa("the command's") },
              { path: path("node_modules/x/index.js"), base64: btoa("x") },
            ],
          }),
        }),
      );
      return undefined;
    });
    await workspace.run("make");
    await edited;
    expect(Buffer.from((await base.files.read(path("made.txt"))).bytes).toString()).toBe("made");
    expect(Buffer.from((await base.files.read(path("mine.txt"))).bytes).toString()).toBe(
      "mine again",
    );
    expect(base.contents.has(path("node_modules/x/index.js"))).toBe(false);
    await vi.waitFor(() => expect(tab.files.get("mine.txt")).toBe("mine again"));
  });

  it("does not copy files that the tab wrote before it received a change", async () => {
    await workspace.files.write(path("a.txt"), "1");
    const tab = new FakeTab(link, () => undefined);
    const going = workspace.run("write");
    await vi.waitFor(() => expect(tab.asks()).toHaveLength(1));
    const { number } = tab.heard.findLast((one) => one.type === "files")!;
    await workspace.files.write(path("a.txt"), "2, by the person");
    await vi.waitFor(() => expect(tab.files.get("a.txt")).toBe("2, by the person"));
    // This message was in transit when the change was sent.
    const { id } = tab.heard.findLast((one) => one.type === "ask")!;
    const files = [{ path: path("a.txt"), base64: btoa("1, by the command") }];
    tab.send({ type: "answer", id, answer: ran({ number, files }) });
    await going;
    const { bytes } = await base.files.read(path("a.txt"));
    expect(Buffer.from(bytes).toString()).toBe("2, by the person");
  });

  it("copies nothing from a proof, which counts what it wrote", async () => {
    new FakeTab(link, () => ran({ written: 3, files: [{ path: path("made.txt"), base64: "" }] }));
    expect(await workspace.prove("npm run build")).toMatchObject({ code: 0, written: 3 });
    expect(base.contents.size).toBe(0);
  });

  it("refuses a path that leads out of the project", async () => {
    new FakeTab(link, () => ran({ files: [{ path: "../out" as never, base64: "" }] }));
    await expect(workspace.run("escape")).rejects.toMatchObject({ code: "path" });
  });

  it("repeats a command that the last tab left unfinished in the next one, after the earlier installs", async () => {
    const first = new FakeTab(link, (ask) =>
      ask.kind === "run" && ask.command === "npm install" ? ran() : undefined,
    );
    await workspace.run("npm install");
    const long = workspace.run("long");
    await vi.waitFor(() => expect(first.asks()).toHaveLength(2));
    first.leave();
    await waits();
    const second = new FakeTab(link, () => ran());
    const exit = await long;
    expect(exit).toMatchObject({ kind: "exited", code: 0 });
    expect(exit.output).toContain("run anew");
    expect(second.asks()).toMatchObject([{ command: "npm install" }, { command: "long" }]);
  });

  it("counts no time while it waits, and ends a command that prints nothing", async () => {
    const going = workspace.run("hang", { quietMs: 40 });
    await waits();
    const tab = new FakeTab(link, () => undefined);
    expect(await going).toMatchObject({ kind: "quiet" });
    expect(tab.heard.at(-1)).toMatchObject({ type: "cancel" });
  });

  it("has a server: up once its port is open, reported when it dies, restarted in the next tab", async () => {
    const serve = (_ask: TabAsk, tab: FakeTab, id: number) => {
      tab.send({ type: "output", id, text: "ready\n" });
      tab.send({ type: "ports", ports: [{ port: 5173, url: "https://x.example/" }] });
      return undefined;
    };
    const first = new FakeTab(link, serve);
    expect(await workspace.start("npm run dev")).toMatchObject({ state: "up", ports: [5173] });
    expect(workspace.serverLog()).toBe("ready\n");
    first.leave();
    expect(workspace.server).toMatchObject({ state: "starting" });
    const second = new FakeTab(link, serve);
    await vi.waitFor(() => expect(workspace.server).toMatchObject({ state: "up" }));
    const { id } = second.heard.findLast((one) => one.type === "ask")!;
    second.send({ type: "answer", id, answer: ran({ code: 7 }) });
    await vi.waitFor(() =>
      expect(workspace.server).toMatchObject({
        state: "crashed",
        exitCode: 7,
        tail: expect.stringContaining("ready"),
      }),
    );
  });

  it("stops waiting for a server that is stopped, replaced or cancelled while it starts", async () => {
    const tab = new FakeTab(link, () => undefined);
    const begun = async (count: number, options: StartOptions = {}) => {
      const going = workspace.start("npm run dev", options);
      await vi.waitFor(() => expect(tab.asks()).toHaveLength(count));
      return { going };
    };
    const stopped = await begun(1);
    await workspace.stopServer();
    expect(await stopped.going).toMatchObject({ state: "stopped" });
    const nobody = new AbortController();
    const unwanted = await begun(2, { signal: nobody.signal });
    nobody.abort();
    expect(await unwanted.going).toMatchObject({ state: "stopped" });
    expect(tab.heard.at(-1)).toMatchObject({ type: "cancel" });
    const last = await begun(3);
    await workspace.stop();
    await expect(last.going).rejects.toMatchObject({ code: "stopped" });
  });

  it("adopts a command that opens a port as the server", async () => {
    const tab = new FakeTab(link, () => undefined);
    const going = workspace.run("npm start", { adopt: true });
    await vi.waitFor(() => expect(tab.asks()).toHaveLength(1));
    tab.send({ type: "ports", ports: [{ port: 3000, url: "https://x.example/" }] });
    expect(await going).toMatchObject({ kind: "adopted", server: { ports: [3000] } });
    await workspace.stopServer();
    expect(tab.heard.at(-1)).toMatchObject({ type: "cancel" });
  });

  it("reaches its ports through requests made by the tab", async () => {
    const tab = new FakeTab(link, (ask) =>
      ask.kind === "request"
        ? { kind: "request", status: 418, headers: [["x-path", ask.path], ["content-encoding", "br"]], base64: btoa(atob(ask.base64)) } // prettier-ignore
        : undefined,
    );
    tab.send({ type: "ports", ports: [{ port: 3000, url: "https://x.example/" }] });
    const socket = await workspace.connect(3000);
    const asked = request({
      method: "POST",
      path: "/a?b=1",
      createConnection: () => socket as never,
    });
    asked.end("sent");
    const [response] = await once(asked, "response");
    expect([response.statusCode, response.headers["x-path"], await text(response)]).toEqual([
      418,
      "/a?b=1",
      "sent",
    ]);
    expect(response.headers["content-encoding"]).toBeUndefined();
    await expect(workspace.connect(3001)).rejects.toMatchObject({ code: "port" });
  });

  it("uses only the newest tab", async () => {
    const first = new FakeTab(link, () => ran({ code: 1 }));
    new FakeTab(link, () => ran({ code: 2 }));
    expect(first.closed).toBe(4001);
    first.send({ type: "broken", message: "late" });
    expect(await workspace.run("which")).toMatchObject({ code: 2 });
  });

  it("has a terminal that waits for the tab, takes input and its size, and ends with the tab", async () => {
    const terminal = await workspace.terminal({ columns: 80, rows: 24 });
    let text = "";
    const codes: number[] = [];
    terminal.onData((data) => (text += data));
    terminal.onExit((code) => codes.push(code));
    terminal.write("early\r");
    await vi.waitFor(() => expect(text).toContain("waits for the project's tab"));
    terminal.resize({ columns: 100, rows: 30 });
    const tab = new FakeTab(link, () => undefined);
    await vi.waitFor(() =>
      expect(tab.asks()).toEqual([{ kind: "terminal", columns: 100, rows: 30 }]),
    );
    const { id } = tab.heard.findLast((one) => one.type === "ask")!;
    await vi.waitFor(() =>
      expect(tab.heard.at(-1)).toEqual({ type: "input", id, data: "early\r" }),
    );
    tab.send({ type: "output", id, text: "hello" });
    terminal.resize({ columns: 60, rows: 20 });
    expect(tab.heard.at(-1)).toEqual({ type: "resize", id, columns: 60, rows: 20 });
    expect(text).toMatch(/hello$/);
    let replayed = "";
    terminal.onData((data) => (replayed += data));
    expect(replayed).toBe(text);
    tab.leave();
    await vi.waitFor(() => expect(codes).toEqual([137]));
    expect(text).toContain("The tab was closed");
  });

  it("copies what a terminal changed, and ends it when it is killed or exits", async () => {
    const tab = new FakeTab(link, () => undefined);
    const begun = async (count: number) => {
      const terminal = await workspace.terminal({ columns: 80, rows: 24 });
      const ended = new Promise<number>((resolve) => void terminal.onExit(resolve));
      await vi.waitFor(() => expect(tab.asks()).toHaveLength(count));
      return { terminal, ended, id: tab.heard.findLast((one) => one.type === "ask")!.id };
    };
    const first = await begun(1);
    const made = { path: path("made.txt"), base64: btoa("made") };
    const outside = { path: "../out" as never, base64: "" };
    tab.send({ type: "changed", number: 1, files: [made], removed: [] });
    await vi.waitFor(() => expect(base.contents.has(path("made.txt"))).toBe(true));
    tab.send({ type: "answer", id: first.id, answer: { kind: "terminal", code: 3 } });
    expect(await first.ended).toBe(3);
    const second = await begun(2);
    second.terminal.kill();
    expect(await second.ended).toBe(137);
    expect(tab.heard.at(-1)).toEqual({ type: "cancel", id: second.id });
    // A path that leads out is refused, and reported by the next request.
    tab.send({ type: "changed", number: 1, files: [outside], removed: [] });
    await expect(workspace.run("next")).rejects.toMatchObject({ code: "path" });
  });

  it("ends waiting requests when it is stopped", async () => {
    const going = workspace.run("never");
    await waits();
    await workspace.stop();
    await expect(going).rejects.toMatchObject({ code: "stopped" });
    await expect(workspace.run("after")).rejects.toMatchObject({ code: "stopped" });
  });
});
