import { request as ask } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LogEvent, Share } from "@treadle/protocol";
import { toProjectPath } from "@treadle/protocol/project-path";
import { EVIDENCE_PARTS, judge, untriedEvidence } from "@treadle/protocol/evidence";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { randomText } from "../../../publish/src/gate/planted.test-support.ts";
import { startTestServer, type TestServer } from "../server.test-support.ts";

let server: TestServer;
let port: number;
beforeEach(async () => {
  server = await startTestServer();
  ({ port } = await server.listen());
});
afterEach(() => server.close());

/** Assembled here, so that this file contains no key. */
const STRIPE = ["sk", "live", "9fKq2WmZ7bXc4Rt8YpL3"].join("_");
const SECRET = "hunter2-of-the-settings";
const IN_ENV = "pl4nted-in-dot-env";
const IN_FILE = "pl4nted-by-the-person-alone";
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Got {
  status: number;
  bytes: Buffer;
  text: string;
  headers: Record<string, string | string[] | undefined>;
}

function get(host: string, path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = { host, accept: "text/html", "accept-language": "en", ...headers };
    ask({ host: "127.0.0.1", port, path, headers: sent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => {
        const bytes = Buffer.concat(pieces);
        resolve({
          status: answer.statusCode!,
          bytes,
          text: bytes.toString("utf8"),
          headers: answer.headers,
        });
      });
    })
      .on("error", reject)
      .end();
  });
}

async function opened(project: string, more: object = {}) {
  const made = await server.api(`/api/projects/${project}/shares`, {
    json: { kind: "conversation", ...more },
  });
  const share = (await made.json()) as Share;
  const { host, pathname } = new URL(share.link);
  const cookie = (await get(host, pathname)).headers["set-cookie"]![0]!.split(";", 1)[0]!;
  return {
    share,
    get: (path: string, headers: Record<string, string> = {}) =>
      get(host, path, { cookie, ...headers }),
  };
}

/** Runs a turn like this in a project with stored secrets. */
async function project(
  text: string,
  events: (run: string, revision: string) => LogEvent[],
  end: object = {},
) {
  server.turns.splice(0, Infinity, async ({ run }, _ports, { emit, workspace }) => {
    await workspace.files.write(toProjectPath("index.html"), "<h1>Hi</h1>");
    await workspace.files.write(toProjectPath(".env"), `API_KEY=${IN_FILE}\nPORT=3000\n`);
    await workspace.files.write(toProjectPath("notes.txt"), `it is ${IN_FILE}\n`);
    await workspace.files.write(toProjectPath("server.pem"), "KEY");
    for (const event of events(run, await workspace.revision())) emit(event);
    return { verdict: "verified", ...end };
  });
  const id = await server.project(text);
  await server.store.secrets.put(id, {
    name: "PAY",
    host: "api.pay.example",
    environment: "both",
    value: SECRET,
  });
  return id;
}

const write = (run: string, call: string, path: string, content: string): LogEvent[] => [
  { type: "call-open", run, call, tool: "write_file" },
  { type: "call-delta", call, field: "content", text: content, path },
  { type: "call-input", call, input: { path, content } },
  { type: "call-start", call },
  { type: "call-end", call, status: "ok", title: `Wrote ${path}`, result: "ok", ms: 1 },
];

const command = (run: string, call: string, line: string, printed: string): LogEvent[] => [
  { type: "call-open", run, call, tool: "run_command" },
  { type: "call-delta", call, field: "command", text: line },
  { type: "call-input", call, input: { command: line } },
  { type: "call-start", call },
  { type: "output", call, text: printed },
  { type: "call-end", call, status: "error", title: `Ran ${line}`, result: printed, ms: 1 },
];

describe("a link to a conversation", () => {
  it.each([
    ["emphasis that opens and never closes", "**_* ".repeat(11_800)],
    ["quotes inside quotes", "> ".repeat(29_000)],
    ["lists inside quotes", "> - ".repeat(14_000)],
    ["code of nothing but tags", `\`\`\`html\n${"<".repeat(19_000)}\n\`\`\``],
    ["links that are not closed", "[a](".repeat(14_000)],
  ])("A166 shows %s, and the server handles other requests meanwhile", async (_what, text) => {
    const id = await project("Hi", (run) => [{ type: "text", run, id: "t", text }]);
    const guest = await opened(id);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const page = await guest.get("/");
    delay.disable();
    expect(page.status).toBe(200);
    // Nothing is lost: the text is rendered, or shown as written.
    expect(page.text.length).toBeGreaterThan(text.length / 4);
    // The benchmark measures the event loop: here it must only not block for the whole text.
    expect(delay.max / 1e6).toBeLessThan(1_000);
  });

  it("can be read without an account and without scripts: messages, actions and findings", async () => {
    const id = await project("Build a *todo* app", (run) => [
      { type: "text", run, id: "t", text: "I use **React**" },
      { type: "text", run, id: "t", text: " here." },
      ...write(run, "c", "src/app.ts", "export const a = 1;\n"),
      ...command(run, "d", "npm test", "1 failed"),
      { type: "text", run, id: "u", text: "Done." },
      (() => {
        const evidence = untriedEvidence("");
        evidence.parts.serve = { state: "held", summary: "it answered on port 5173" };
        return { type: "evidence", evidence, run } as const;
      })(),
    ]);
    const guest = await opened(id);
    const page = await guest.get("/");
    expect(page.status).toBe(200);
    const { text, headers } = page;
    expect(text).toContain("Build a *todo* app");
    expect(text).toContain("I use <strong>React</strong> here.");
    expect(text).toMatch(/<details><summary>Steps: 2<\/summary>/);
    expect(text).toContain("Wrote src/app.ts");
    expect(text).toContain('<span class="k">export</span>');
    expect(text).toContain("Ran npm test (failed)");
    // Command output is not shown.
    expect(text).not.toContain("1 failed");
    expect(text).toContain("<strong>Verified</strong>");
    expect(text).not.toContain("tokens");
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(headers["x-robots-tag"]).toMatch(/noindex/);
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers["x-frame-options"]).toBe("DENY");
    const japanese = await guest.get("/", { "accept-language": "ja" });
    expect(japanese.text).toContain('<html lang="ja">');
    expect(japanese.text).toContain("検証済み");
    // Nothing else is available.
    for (const path of ["/api/projects", "/src/app.ts", "/.env", "/__treadle/source.zip"])
      expect((await guest.get(path)).status).toBe(404);
  });

  it("shows Runs if not everything was tried, with what was observed, and follows the person's confirmation", async () => {
    const seen = untriedEvidence("");
    for (const part of EVIDENCE_PARTS) seen.parts[part] = { state: "held", summary: part };
    seen.asked = [{ what: "a blue header", byEye: true }];
    seen.findings = [
      { code: "dead-control", subject: `button "Send ${SECRET}"`, path: "/" },
      { code: "never-ran", subject: "exportCsv", place: "src/app.ts:12" },
    ];
    let outcome = "";
    const summary = `Runs: ${judge(seen).reason}.`;
    const id = await project(
      "A blue header",
      (run, revision) => {
        outcome = revision;
        return [{ type: "evidence", evidence: { ...seen, revision }, run }];
      },
      { verdict: "runs", summary },
    );
    const guest = await opened(id);
    const { text } = await guest.get("/");
    expect(text).toContain('<div class="end is-runs"><strong>Runs</strong>');
    expect(text).toContain("is yours to judge");
    expect(text).not.toContain("Runs: ");
    expect(text).toContain("exportCsv never ran (src/app.ts:12)");
    expect(text).toContain("does nothing");
    expect(text).not.toContain(SECRET);
    const agreed = await server.api(`/api/projects/${id}/asked/agree`, {
      json: { revision: outcome, what: "a blue header" },
    });
    expect(agreed.status).toBe(200);
    expect((await guest.get("/")).text).toContain("<strong>Verified</strong>");
  });

  it("shows how the model ended its turn, as the workbench does", async () => {
    const finish = (run: string): LogEvent[] => [
      { type: "call-open", run, call: "f", tool: "finish" },
      { type: "call-input", call: "f", input: { done: "It counts." } },
      { type: "call-end", call: "f", status: "ok", title: "Said what was done", result: "", ms: 1 },
    ];
    const answer = { done: `It **counts** ${SECRET}.`, try: "Open it." };
    const page = async (verdict: string) =>
      (await (await opened(await project("Count", finish, { verdict, said: answer }))).get("/"))
        .text;
    const held = await page("verified");
    expect(held).toContain("It <strong>counts</strong> •••.");
    expect(held).toContain("Open it.");
    expect(held).not.toContain("Said what was done");
    // An item that was observed to fail is not shown as done.
    expect(await page("failed")).not.toContain("Open it.");
  });

  it("shows the cost of turns if that is enabled", async () => {
    const id = await project("Build it", () => []);
    expect((await (await opened(id, { costs: true })).get("/")).text).toContain("15 tokens");
  });

  it("shows no credentials, nothing of this machine, and nothing hidden (A134)", async () => {
    const { directory, treadle } = server;
    const basic = Buffer.from(`ada:${SECRET}`).toString("base64");
    const planted = (run: string): LogEvent[] => [
      {
        type: "text",
        run,
        id: "t",
        text: `Keys: ${STRIPE}, ${SECRET}, ${IN_ENV}, ${IN_FILE}, ${treadle.token} in ${directory}/projects, /home/somebody/app and \`${SECRET}\`, sent as ${basic}`,
      },
      ...write(run, "c", ".env", `TOKEN=${IN_ENV}\nNODE_ENV=production\n`),
      ...write(run, "d", "src/pay.ts", `const key = "${SECRET}"; // ${STRIPE}\n`),
      ...write(run, "e", ".npmrc", "//registry/:_authToken=abcdefgh\n"),
      ...command(run, "f", "cat .env", `TOKEN=${IN_ENV}`),
      { type: "plan", run, text: `Use ${SECRET}` },
    ];
    const id = await project(`Pay with ${SECRET} and ${IN_FILE}`, planted, {
      summary: `It holds ${SECRET} in ${directory}.`,
    });
    const { capability } = (await server.store.projects.get(id))!;
    await server.api(`/api/projects/${id}`, {
      method: "PATCH",
      json: { name: `Shop ${capability}` },
    });
    const { text } = await (await opened(id, { source: true, costs: true })).get("/");
    for (const secret of [
      STRIPE,
      SECRET,
      basic,
      IN_ENV,
      IN_FILE,
      treadle.token,
      directory,
      capability,
      "/home/somebody",
      "abcdefgh",
      ".npmrc",
      "Wrote .env",
    ])
      expect(text).not.toContain(secret);
    expect(text).toContain("A file that is not shown");
    // A common word that an .env file also sets is no secret.
    expect(text).toContain("•••");
  });

  it("shows no key inside other text, nor one that only other rules of the gate detect (A134)", async () => {
    const gitlab = ["glpat", "x7Kq2mZb9XcRt4YpLw3N"].join("-");
    const token = ["ghp", randomText(36, 320)].join("_");
    const inBase64 = Buffer.from(token).toString("base64");
    const code = `const a = "${STRIPE.slice(0, 14)}" +\n  "${STRIPE.slice(14)}";
const b = atob("${inBase64}"); const c = "${SECRET.slice(0, 9)}" + '${SECRET.slice(9)}';\nconst d = 1;\n`;
    const id = await project(`Use ${gitlab}\nplease`, (run) => [
      { type: "text", run, id: "t", text: `The token ${gitlab}, or ${inBase64}.` },
      ...write(run, "d", "src/pay.ts", code),
    ]);
    const { text } = await (await opened(id)).get("/");
    // Code is highlighted, and therefore split by markup.
    const plain = text.replace(/<[^>]+>/g, "").replaceAll("&quot;", '"');
    for (const secret of [gitlab, inBase64, STRIPE.slice(14), SECRET.slice(9), STRIPE.slice(0, 14)])
      expect(plain).not.toContain(secret);
    expect(plain).toContain("const d = 1;");
  });

  it("runs no script, whoever wrote it (A134)", async () => {
    const evil = `<script>alert(1)</script><img src=x onerror=alert(1)>"'><svg onload=alert(1)>`;
    const id = await project(evil, (run) => [
      { type: "text", run, id: "t", text: evil },
      ...write(run, "c", `src/${"a"}.html`, evil),
      { type: "call-open", run, call: "x", tool: "run_command" },
      { type: "call-end", call: "x", status: "ok", title: evil, result: evil, ms: 1 },
    ], { summary: evil }); // prettier-ignore
    const { text } = await (await opened(id)).get("/");
    expect(text).not.toMatch(/<script|<svg onload|<img src=x/i);
    for (const tag of text.match(/<[a-z][^>]*>/gi) ?? []) expect(tag).not.toMatch(/ on\w+=/);
  });

  it("shows its own pictures, and no others of the project (A132)", async () => {
    const [shown, other] = [
      await project("Build it", () => []),
      await project("Another", () => []),
    ];
    const send = async (id: string) => {
      await server.api(`/api/projects/${id}/messages`, {
        json: { text: "Like this", pictures: [PIXEL] },
      });
      await expect
        .poll(async () => (await server.events(id)).filter(({ type }) => type === "run-end").length)
        .toBe(2);
    };
    const guest = await opened(shown);
    const name = /\/__treadle\/picture\/[0-9a-f]{64}/;
    expect((await guest.get("/")).text).not.toMatch(name);
    await send(other);
    const hash = name.exec((await (await opened(other)).get("/")).text)![0];
    // The picture is stored, but does not belong to this conversation.
    expect((await guest.get(hash)).status).toBe(404);
    await send(shown);
    expect((await guest.get("/")).text).toContain(hash);
    const picture = await guest.get(hash);
    expect(picture.status).toBe(200);
    expect(picture.headers["content-type"]).toBe("image/png");
  });

  it("provides the source without its secrets, if that is enabled", async () => {
    const id = await project("Build it", () => []);
    const closed = await opened(id);
    expect((await closed.get("/")).text).not.toContain("source.zip");
    const guest = await opened(id, { source: true });
    expect((await guest.get("/")).text).toContain('href="/__treadle/source.zip"');
    const { status, bytes } = await guest.get("/__treadle/source.zip");
    expect(status).toBe(200);
    const files = unzipSync(bytes);
    expect(Object.keys(files).toSorted()).toEqual(["LEFT-OUT.txt", "index.html"]);
    expect(Buffer.from(files["LEFT-OUT.txt"]!).toString()).toContain("notes.txt");
  });

  it("provides no file with a key, or with a secret in UTF-16, and lists the files left out", async () => {
    server.turns.splice(0, Infinity, async (_, { workspace }) => {
      const put = (path: string, bytes: string | Uint8Array) =>
        workspace.files.write(toProjectPath(path), bytes);
      await put(".env", `API_KEY=${IN_FILE}\n`);
      await put("src/pay.ts", `const key = "${STRIPE}";`);
      await put("src/split.ts", `const key = "${STRIPE.slice(0, 12)}" + "${STRIPE.slice(12)}";`);
      await put("wide.txt", Buffer.from(`\uFEFFit is ${IN_FILE}\r\n`, "utf16le"));
      await put("src/fine.ts", "export const key = process.env.KEY;");
      return { verdict: "verified" };
    });
    const id = await server.project("Build it");
    const { bytes } = await (await opened(id, { source: true })).get("/__treadle/source.zip");
    const files = unzipSync(bytes);
    expect(Object.keys(files).toSorted()).toEqual(["LEFT-OUT.txt", "src/fine.ts"]);
    const left = Buffer.from(files["LEFT-OUT.txt"]!).toString();
    for (const path of ["src/pay.ts", "src/split.ts", "wide.txt"]) expect(left).toContain(path);
  });

  it("provides nothing that people entered into the running app, or uploaded", async () => {
    const id = await project("Build it", () => []);
    const workspace = server.workspace(id);
    const entered = ["data/guests.json", "uploads/face.jpg"];
    for (const path of entered) workspace.put(path, "of a guest");
    workspace.dataFiles = () => entered.map((path) => toProjectPath(path));
    const { bytes } = await (await opened(id, { source: true })).get("/__treadle/source.zip");
    const files = unzipSync(bytes);
    const left = Buffer.from(files["LEFT-OUT.txt"]!).toString();
    for (const path of entered) {
      expect(files[path]).toBeUndefined();
      expect(left).toContain(path);
    }
  });

  it("can be copied by a signed-in person, from the link's page", async () => {
    const id = await project("Build it", () => []);
    const guest = await opened(id);
    const { text } = await guest.get("/");
    expect(text).toContain(`href="http://localhost:${port}/yours/${guest.share.id}"`);
    const made = await server.api(`/api/shares/${guest.share.id}/fork`, { method: "POST" });
    expect(made.status, await made.clone().text()).toBe(201);
    const fork = (await made.json()) as { id: string; name: string };
    expect(fork.id).not.toBe(id);
    // A link to only the app provides nothing of the project.
    const app = await server.api(`/api/projects/${id}/shares`, { json: { kind: "preview" } });
    const { id: preview } = (await app.json()) as Share;
    const refused = await server.api(`/api/shares/${preview}/fork`, { method: "POST" });
    expect(refused.status).toBe(404);
  });
});
