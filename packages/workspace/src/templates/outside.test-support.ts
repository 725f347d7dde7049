import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { postgresPrograms, startPostgres } from "../testing/postgres.test-support.ts";
import { readTemplate } from "./templates.ts";

/** Time limit in milliseconds for npm to install, and then for the server to answer. */
const INSTALL_MS = 5 * 60_000;
const START_MS = 2 * 60_000;
const LOOK_MS = 200;
/** Number of characters of output included in an error. */
const TOLD = 1_500;

/** The newest Node of each major version that templates have to work with, as published on npm. */
export const NODES = { 20: "20.20.2", 22: "22.23.5", 24: "24.22.3" } as const;

/**
 * Environment variables that determine how this machine reaches a registry, without Treadle's own
 * Node.
 */
const OF_MACHINE =
  /^(?:HOME|LANG|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|\w+_proxy|npm_config_(?:registry|cache|cafile|\w*proxy))$/i;

const root = join(import.meta.dirname, "../../../..");

/** The folder of a Node binary, downloaded from the registry once and stored in `.cache`. */
export async function fetchNode(version: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const home = join(root, ".cache/nodes", version);
  const folder = join(home, "node_modules", name, "bin");
  if (existsSync(join(folder, "node"))) return folder;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), `{ "private": true }`);
  const { status, output } = await run(
    process.execPath,
    [npmCli(), "install", "--no-save", "--no-audit", "--no-fund", `${name}@${version}`],
    { cwd: home, env: process.env, ms: INSTALL_MS },
  );
  if (status !== 0) throw new Error(`Node ${version} could not be fetched: ${output}`);
  return folder;
}

/**
 * Writes a template into a new folder, and runs `npm install` and `npm run dev` there with a given
 * Node, as on a machine without Treadle.
 * @param bin folder of that Node's program
 * @returns what failed; undefined if its page was served
 */
export async function startOutside(template: string, bin: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), `treadle-outside-${template}-`));
  const files = readTemplate(template);
  const isServer = files.some(({ path }) => path.startsWith("backend/"));
  if (isServer && postgresPrograms === undefined) return "this machine has no PostgreSQL";
  const postgres = isServer ? await startPostgres() : undefined;
  try {
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const saved = Object.entries(process.env).filter(([name]) => OF_MACHINE.test(name));
    const env = {
      ...Object.fromEntries(saved),
      PATH: `${bin}:/usr/bin:/bin`,
      PORT: String(await freePort()),
      ...(postgres && databaseEnv(postgres.url)),
    };
    const node = join(bin, "node");
    const install = [npmCli(), "install", "--no-audit", "--no-fund"];
    const installed = await run(node, install, { cwd: folder, env, ms: INSTALL_MS });
    if (installed.status !== 0) return `npm install: ${installed.output}`;
    return await seePage(node, folder, env, isServer ? "/api/auth/me" : undefined);
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The address of a database in the variables that most benchmarks and hosts set. */
function databaseEnv(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    DB_HOST: hostname,
    DB_PORT: port,
    DB_USERNAME: username,
    DB_PASSWORD: password,
    DB_NAME: pathname.slice(1),
  };
}

/**
 * @param data path relative to the page's address that has to respond with JSON as well, once the
 * server behind it is up
 * @returns the reason why no page was served
 */
async function seePage(
  node: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  data: string | undefined,
): Promise<string | undefined> {
  const server = spawn(node, [npmCli(), "run", "dev"], { cwd, env, detached: true });
  let output = "";
  const add = (piece: Buffer) => (output += stripVTControlCharacters(String(piece)));
  server.stdout.on("data", add);
  server.stderr.on("data", add);
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  try {
    const until = performance.now() + START_MS;
    let seen = "it named no address";
    while (performance.now() < until && server.exitCode === null) {
      const [address] = /http:\/\/localhost:[1-9]\d*/.exec(output) ?? [];
      if (address !== undefined) {
        const page = await fetch(address, { signal: AbortSignal.timeout(START_MS) }).then(
          async (answer) => ({ status: answer.status, text: await answer.text() }),
          (error: Error) => ({ status: 0, text: error.message }),
        );
        const answer = data === undefined ? undefined : await fetch(address + data).catch(() => {});
        const isData = /json/.test(answer?.headers.get("content-type") ?? "");
        const isUp = data === undefined || (answer?.status === 200 && isData);
        if (page.status === 200 && /<html/i.test(page.text) && isUp) return undefined;
        seen = `${address} answered ${page.status}: ${page.text.slice(0, 200)}`;
        if (data !== undefined) seen += `; ${data} answered ${answer?.status}`;
      }
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    return `npm run dev: ${seen}\n${output.slice(-TOLD)}`;
  } finally {
    try {
      process.kill(-server.pid!, "SIGKILL");
    } catch {
      // It has exited by itself.
    }
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function run(
  program: string,
  args: string[],
  { cwd, env, ms }: { cwd: string; env: NodeJS.ProcessEnv; ms: number },
): Promise<{ status: number | null; output: string }> {
  const child = spawn(program, args, { cwd, env, timeout: ms, killSignal: "SIGKILL" });
  let output = "";
  const add = (piece: Buffer) => (output = (output + String(piece)).slice(-TOLD));
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  const status = await new Promise<number | null>((done) => child.once("close", done));
  return { status, output };
}

/** The npm that is installed in the repository, to be run with any Node. */
const npmCli = () => join(root, "node_modules/npm/bin/npm-cli.js");
