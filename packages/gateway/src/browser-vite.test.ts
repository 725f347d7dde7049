import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PageStep, RanFile } from "@treadle/protocol/checks";
import type { ProjectPath } from "@treadle/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectLoopback, testPreview } from "./gateway.test-support.ts";
import { createGateway } from "./gateway.ts";
import { createBrowser } from "@treadle/browser";

/** Vite is installed beside vitest, which depends on it. */
const vite = join(
  dirname(
    createRequire(createRequire(import.meta.url).resolve("vitest/package.json")).resolve(
      "vite/package.json",
    ),
  ),
  "bin/vite.js",
);
const folder = mkdtempSync(join(tmpdir(), "treadle-vite-"));
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const GOOD = `document.querySelector("#app")!.textContent = "made by Vite";
import.meta.hot?.on("vite:ws:connect", () => void document.body.append(" and connected"));`;
let server: ChildProcess;
let port = 0;

const gateway = createGateway({
  resolve: (capability) =>
    capability === "abc"
      ? testPreview([port], { connect: () => connectLoopback(port) }).target
      : undefined,
  appOrigin: () => "http://localhost:4173",
});
const browser = createBrowser({ cacheDirectory: folder, env: process.env, gateway });
const look = () => browser.look({ origin: gateway.originOf("abc"), path: "/" });

beforeAll(async () => {
  write(
    "index.html",
    `<!doctype html><html><head><title>Vite</title></head><body><div id="app"></div><script type="module" src="/main.ts"></script></body></html>`,
  );
  write("main.ts", GOOD);
  port = await freePort();
  const args = [vite, "--port", String(port), "--strictPort", "--host", "127.0.0.1"];
  server = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    let printed = "";
    const read = (text: Buffer) => {
      printed += text.toString();
      if (printed.includes("ready in")) resolve();
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    server.on("exit", () => reject(new Error(printed)));
  });
});
afterAll(async () => {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

it("sees a Vite app through the gateway, including its WebSocket for hot updates", async () => {
  expect(await look()).toMatchObject({
    status: 200,
    title: "Vite",
    rendered: true,
    text: expect.stringMatching(/made by Vite\s+and connected/),
    uncaughtErrors: [],
    consoleErrors: [],
    failedRequests: [],
  });
});

it("sees Vite's overlay while a file does not parse, and no longer", async () => {
  write("main.ts", "const = 1;");
  const broken = await look();
  expect(broken.overlay).toContain("main.ts");
  expect(broken.failedRequests).toEqual([
    expect.objectContaining({ url: expect.stringMatching(/^\/main\.ts/), status: 500 }),
  ]);
  write("main.ts", GOOD);
  const repaired = await look();
  expect(repaired.overlay).toBeUndefined();
  expect(repaired.rendered).toBe(true);
});

it("reports which functions of the project's files ran, with their locations, on every opened page", async () => {
  write(
    "main.ts",
    `import { never } from "./other.ts";
interface Item { name: string }

export function shown(item: Item): void {
  document.querySelector("#app")!.textContent = item.name;
}
const saved = (item: Item) => {
  localStorage.setItem("a", item.name);
};
if (location.search === "?save") saved({ name: "x" });
else shown({ name: "made by Vite" });
addEventListener("click", () => never());
`,
  );
  write("other.ts", `type A = string;\n\nexport function never(): A {\n  return "a";\n}\n`);
  // The server navigates away from open pages while it handles a change.
  await look();
  const used = await ran([{ do: "wait", on: "made by Vite" }]);
  expect(used).toEqual(
    new Map([
      [
        "main.ts",
        new Map([
          ["4:7", true],
          ["7:6", false],
          ["12:17", false],
        ]),
      ],
      ["other.ts", new Map([["3:7", false]])],
    ]),
  );
  const both = await ran([
    { do: "wait", on: "made by Vite" },
    { do: "open", text: "/?save" },
  ]);
  expect([...both.get("main.ts")!]).toEqual([
    ["4:7", true],
    ["7:6", true],
    ["12:17", false],
  ]);
  // For a page that navigates by itself, it is unknown which code did not run.
  write(
    "main.ts",
    `const go = () => {\n  location.href = "/?there";\n};\nif (!location.search) go();\nexport const other = () => 1;\n`,
  );
  await look();
  expect([...(await ran([])).get("main.ts")!.values()]).not.toContain(false);
});

/** Code that ran while the page was used: each function's location, and whether it ran. */
async function ran(steps: PageStep[]): Promise<Map<string, Map<string, boolean>>> {
  const files = new Map<string, Map<string, boolean>>();
  const origin = gateway.originOf("abc");
  const paths = new Set(["main.ts", "other.ts"] as ProjectPath[]);
  const onRan = (seen: RanFile[]) => {
    for (const { path, functions } of seen) {
      const places = files.get(path) ?? new Map<string, boolean>();
      files.set(path, places);
      for (const { line, column, ran: did } of functions) {
        const place = `${line}:${column}`;
        places.set(place, did || places.get(place) === true);
      }
    }
  };
  await browser.use({ origin, path: "/", steps, code: { paths, onRan } });
  return files;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const { port: free } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return free;
}
