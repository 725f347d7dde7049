/**
 * Stands before npm on the sandbox's PATH. Two things are done faster than npm does them, and said honestly; everything
 * else is npm's own:
 * `npm install` without package names, where the host holds the very dependencies that package.json asks for;
 * `npm run SCRIPT` without pre- or post-script, which needs none of npm's 250 ms of loading.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, dirname, join, resolve } from "node:path";

const args = process.argv.slice(2);
const { TREADLE_NPM = "", TREADLE_INSTALL_SOCKET, PATH = "" } = process.env;

function become(command: string, words: string[], env = process.env): void {
  const child = spawn(command, words, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, "SIGKILL");
    process.exit(code ?? 1);
  });
}

const realNpm = () => become(process.execPath, [join(TREADLE_NPM, "bin/npm-cli.js"), ...args]);

interface Manifest {
  name?: string;
  version?: string;
  scripts?: Record<string, string>;
}

/** The nearest package.json, as npm looks for it. */
function findManifest(): { folder: string; manifest: Manifest } | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    try {
      const text = readFileSync(join(folder, "package.json"), "utf8");
      return { folder, manifest: JSON.parse(text) as Manifest };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === dirname(folder))
        return undefined;
    }
  }
}

function runScript(name: string, rest: string[]): boolean {
  const found = findManifest();
  const scripts = found?.manifest.scripts ?? {};
  const script = scripts[name];
  if (!found || typeof script !== "string" || scripts[`pre${name}`] || scripts[`post${name}`])
    return false;
  const { folder, manifest } = found;
  const quoted = rest.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
  const command = [script, ...quoted].join(" ");
  process.stdout.write(
    `\n> ${manifest.name ?? ""}@${manifest.version ?? ""} ${name}\n> ${command}\n\n`,
  );
  process.chdir(folder);
  become("sh", ["-c", command], {
    ...process.env,
    PATH: [resolve(folder, "node_modules/.bin"), PATH].join(delimiter),
    npm_lifecycle_event: name,
    npm_lifecycle_script: script,
    npm_package_name: manifest.name ?? "",
    npm_package_version: manifest.version ?? "",
    npm_package_json: join(folder, "package.json"),
    npm_command: "run-script",
    npm_execpath: join(TREADLE_NPM, "bin/npm-cli.js"),
    npm_node_execpath: process.execPath,
    INIT_CWD: process.cwd(),
    NODE: process.execPath,
  });
  return true;
}

/** Asks the host; an empty answer means that it knows no better than npm. */
function askHost(socketPath: string): Promise<string> {
  return new Promise((answered) => {
    let text = "";
    const socket = connect(socketPath, () => socket.end(args.join("\0")));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => (text += piece));
    socket.on("error", () => answered(""));
    socket.on("close", () => answered(text));
  });
}

/** Options that change nothing about which dependencies end up where. */
const HARMLESS = /^--(no-)?(audit|fund|progress|update-notifier)$|^--(loglevel|silent|quiet)/;

const [verb, ...others] = args;
const isInstall =
  ["install", "i", "ci", "clean-install"].includes(verb ?? "") &&
  others.every((word) => HARMLESS.test(word));
if (isInstall && TREADLE_INSTALL_SOCKET) {
  const answer = await askHost(TREADLE_INSTALL_SOCKET);
  if (answer === "") realNpm();
  else process.stdout.write(answer);
} else if (verb === "run" || verb === "run-script") {
  const [name, ...rest] = others;
  const extra = rest[0] === "--" ? rest.slice(1) : rest;
  const plain = rest.length === 0 || rest[0] === "--";
  if (!name || name.startsWith("-") || !plain || !runScript(name, extra)) realNpm();
} else if ((verb === "start" || verb === "test" || verb === "t") && others.length === 0) {
  if (!runScript(verb === "t" ? "test" : verb, [])) realNpm();
} else realNpm();
