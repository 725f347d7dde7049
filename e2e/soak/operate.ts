/**
 * The life of a server in containers, as docs/self-hosting.md describes it: `node e2e/soak/operate.ts`, or `npm run soak
 * operate`. Starts deploy/compose.yaml with Caddy's own certificates, signs its owner in, has a project verified, opens its
 * preview, makes a backup and restores it into empty volumes. With `TREADLE_TEST_OPERATE_OLD=IMAGE`, an image of an older version,
 * the first part runs on that and is then upgraded; `TREADLE_TEST_OPERATE_IMAGE=IMAGE` is used instead of building one. Needs a Docker engine (`DOCKER_HOST`), Compose 2.24 or newer
 * (`docker compose`, or `TREADLE_TEST_OPERATE_COMPOSE=FILE`), and the images that deploy/ names. Without them it says so and ends;
 * with `TREADLE_TEST_OPERATE=1` it fails then. `docs/testing-docker.md` says how to make the images without a registry.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { browseAt, type Visitor } from "../support/visitor.ts";

const HOST = "builder.example.org";
/** The demo is built, installed and looked at within this time. */
const VERDICT_MS = 10 * 60_000;
const START_MS = 5 * 60_000;

const deploy = join(import.meta.dirname, "../../deploy");
const old = process.env["TREADLE_TEST_OPERATE_OLD"];
const current = process.env["TREADLE_TEST_OPERATE_IMAGE"];
const folder = mkdtempSync(join(tmpdir(), "treadle-walk-"));
const override = join(folder, "walk.yaml");
const backup = join(folder, "treadle.tar.gz");
const execute = promisify(execFile);
const print = (line: string) => process.stdout.write(`${line}\n`);

const [command, ...first] = process.env["TREADLE_TEST_OPERATE_COMPOSE"]?.split(" ") ?? [
  "docker",
  "compose",
];
/** Runs Compose on the project of the walk. @returns its standard output */
async function compose(...words: string[]): Promise<string> {
  const files = ["--project-name", "treadle-walk", "--file", join(deploy, "compose.yaml")];
  const { stdout } = await execute(command!, [...first, ...files, "--file", override, ...words], {
    maxBuffer: 64 * 1024 * 1024,
    env: {
      ...process.env,
      TREADLE_HOST: HOST,
      POSTGRES_PASSWORD: "correct-horse-battery",
      CADDY_OPTIONS: "local_certs",
    },
  });
  return stdout.trim();
}
const docker = async (...words: string[]): Promise<string> =>
  (await execute("docker", words)).stdout.trim();

/**
 * Writes what differs from compose.yaml: ports that nobody uses, and an image instead of a build. Where the engine's name
 * service does not answer inside containers, the services find each other by fixed addresses.
 */
function configure(image: string | undefined, hasNames: boolean): void {
  const at = (address: string) => (hasNames ? {} : { networks: { inside: { ipv4_address: address } } }); // prettier-ignore
  const knows = (name: string) => (hasNames ? {} : { extra_hosts: [name] });
  const services = {
    treadle: {
      ...(image !== undefined && { image, pull_policy: "never" }),
      ...at("172.31.42.11"),
      ...knows("database:172.31.42.12"),
    },
    caddy: { ports: "PORTS", ...knows("treadle:172.31.42.11") },
    database: at("172.31.42.12"),
  };
  // JSON is YAML, except for the tag that replaces a list.
  const text = JSON.stringify({ services }).replace('"PORTS"', '!override ["127.0.0.1::443"]');
  writeFileSync(override, text);
}

/** Why the walk cannot begin; undefined if it can. */
async function findMissing(): Promise<string | undefined> {
  try {
    await docker("version");
    await execute(command!, [...first, "version"]);
    for (const image of ["node:24-bookworm-slim", "caddy:2", "postgres:17"])
      await docker("image", "inspect", image);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function until<Result>(
  what: string,
  limitMs: number,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  const ends = performance.now() + limitMs;
  for (;;) {
    const result = await attempt().catch(() => undefined);
    if (result !== undefined) return result;
    if (performance.now() > ends) throw new Error(`Waited too long for ${what}.`);
    await wait(1_000);
  }
}

/** Starts everything, and waits until Treadle's health check has passed. */
async function up(image: string | undefined, hasNames: boolean): Promise<void> {
  configure(image, hasNames);
  await compose("up", "--detach", ...(image === undefined ? ["--build"] : ["--no-build"]));
  await until("a healthy server", START_MS, async () =>
    (await compose("ps", "treadle")).includes("(healthy)") ? true : undefined,
  );
}

/** The owner's browser: it trusts the authority that signs Caddy's certificates, and signs in by the printed link. */
async function signIn(): Promise<Visitor> {
  const port = Number((await compose("port", "caddy", "443")).split(":").at(-1));
  const root = "/data/caddy/pki/authorities/local/root.crt";
  const authority = await until("Caddy's authority", START_MS, () =>
    compose("exec", "-T", "caddy", "cat", root),
  );
  const visitor = browseAt({ port, authority });
  const address = await compose("exec", "-T", "treadle", "treadle", "link");
  const link = new URL(address).searchParams.get("link");
  await until("Caddy", START_MS, async () =>
    (await visitor.get(`https://${HOST}/`)).status === 401 ? true : undefined,
  );
  const entered = await visitor.post(`https://${HOST}/api/sign-in/link/use`, {
    link,
    name: "Owner",
  });
  assert.equal(entered.status, 200, entered.text);
  return visitor;
}

const project = (id: string) => `https://${HOST}/api/projects/${id}`;

/** Has the recorded todo app built. @returns the project's id */
async function build(owner: Visitor): Promise<string> {
  const { demos } = JSON.parse((await owner.get(`https://${HOST}/api/models`)).text) as {
    demos: { id: string }[];
  };
  const made = await owner.post(`https://${HOST}/api/projects`, { demo: demos[0]!.id });
  const { id } = JSON.parse(made.text) as { id: string };
  const ended = await until("a verdict", VERDICT_MS, async () => {
    const { verdict, working } = JSON.parse((await owner.get(project(id))).text) as {
      verdict?: string;
      working: boolean;
    };
    return working ? undefined : verdict;
  });
  assert.equal(ended, "verified");
  return id;
}

/** Opens the project's preview at its own host, as a tab of the workbench does. */
async function openPreview(owner: Visitor, id: string): Promise<void> {
  const page = await until("the preview", START_MS, async () => {
    const pass = await owner.post(`${project(id)}/preview-pass`, {});
    const { address } = JSON.parse(pass.text) as { address: string };
    const answer = await owner.get(address);
    return answer.status === 200 ? answer : undefined;
  });
  assert.match(page.text, /<html/i);
}

const missing = await findMissing();
if (missing !== undefined) {
  print(`operate: skipped, since ${missing.trim()}`);
  process.exit(process.env["TREADLE_TEST_OPERATE"] === "1" ? 1 : 0);
}
/** Whether containers can look each other's names up, which needs the engine's name service. */
async function findsNames(): Promise<boolean> {
  configure("caddy:2", true);
  await compose("up", "--detach", "--no-build", "database");
  const asks = ["run", "--rm", "--no-deps", "-T", "--entrypoint", "getent", "caddy"];
  const found = await compose(...asks, "hosts", "database").catch(() => "");
  return /^172\.31\.42\./m.test(found);
}

try {
  configure(current, true);
  await compose("down", "--volumes");
  const hasNames = await findsNames();
  print(`Starting (${hasNames ? "names" : "fixed addresses, as the engine answers no names"})`);
  await up(old ?? current, hasNames);
  let owner = await signIn();
  const id = await build(owner);
  await openPreview(owner, id);
  print("Signed in, a project verified, its preview opened");
  if (old !== undefined) {
    await up(current, hasNames);
    owner = await signIn();
    await openPreview(owner, id);
    print("Upgraded: the project is there, and its preview opens");
  }
  await compose("exec", "-T", "treadle", "treadle", "backup", "/data/treadle.tar.gz");
  await compose("cp", "treadle:/data/treadle.tar.gz", backup);
  await compose("down", "--volumes");
  print("Made a backup, and removed every volume");
  await compose("up", "--detach", "--wait", "database");
  const file = `${backup}:/treadle.tar.gz:ro`;
  await compose("run", "--rm", "-T", "--volume", file, "treadle", "restore", "/treadle.tar.gz");
  await up(current, hasNames);
  owner = await signIn();
  assert.match((await owner.get(`${project(id)}/files/package.json`)).text, /"name/);
  await openPreview(owner, id);
  print("Restored: the project is there, and its preview opens");
} finally {
  await compose("down", "--volumes").catch((error: Error) => print(error.message));
  rmSync(folder, { recursive: true, force: true });
}
