/**
 * Runs in place of npm, pnpm, yarn and bun on the sandbox's PATH. It handles two cases itself,
 * faster, and says so: it installs the dependencies of package.json if the host has prepared them,
 * and it runs a script without pre- or post-scripts, which avoids loading the manager (npm: 250
 * ms). It passes everything else to the real manager.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { InstallAnswer, InstallAsk } from "../wire/install.ts";
import { readManagerCommand } from "../package-managers/manager-command.ts";
import {
  toolFolder,
  toolOf,
  type ManagerName,
  type ManagerPackage,
} from "../package-managers/managers.ts";
import { findManifest, isPlugAndPlay, scriptCommand } from "./run-script.ts";
import { usesGlobalCache } from "./yarn-cache.ts";

const [typed = "npm", ...args] = process.argv.slice(2) as [ManagerName, ...string[]];
const { TREADLE_NPM = "", TREADLE_INSTALL_SOCKET, TREADLE_TOOLS = "", HOME = "/tmp" } = process.env;
/** Arguments of Node for npm, which finds the proxy by itself: the preparation would only delay its start. */
const npmProgram = [
  ...(process.allowedNodeEnvironmentFlags.has("--use-env-proxy") ? ["--no-use-env-proxy"] : []),
  join(TREADLE_NPM, "bin/npm-cli.js"),
];
const { TREADLE_USE_ENV_PROXY: usesEnvProxy } = process.env;
delete process.env.TREADLE_USE_ENV_PROXY;
if (usesEnvProxy) process.env.NODE_USE_ENV_PROXY = usesEnvProxy;
else delete process.env.NODE_USE_ENV_PROXY;

function become(command: string, words: readonly string[], env = process.env): void {
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

/**
 * Asks the host. The answer is to run the real tool if there is no host, or it has disconnected.
 */
function askHost(ask: InstallAsk): Promise<InstallAnswer> {
  const itself: InstallAnswer = { act: "run", manager: typed, args };
  if (!TREADLE_INSTALL_SOCKET) return Promise.resolve(itself);
  return new Promise((answered) => {
    let text = "";
    const socket = connect(TREADLE_INSTALL_SOCKET, () => socket.write(`${JSON.stringify(ask)}\n`));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
      const lines = text.split("\n");
      text = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as { text: string } | InstallAnswer;
        if ("text" in message) process.stdout.write(message.text);
        else answered(message);
      }
    });
    socket.on("error", () => answered(itself));
    socket.on("close", () => answered(itself));
  });
}

/**
 * Where a tool may be installed: in the host's folder, which is read-only in the sandbox, or in the project's own
 * cache.
 */
const placesOf = (tool: ManagerPackage) =>
  [TREADLE_TOOLS, join(HOME, ".cache/treadle-tools")]
    .filter(Boolean)
    .map((place) => join(place, toolFolder(tool)));

function wantedTool(manager: ManagerName): ManagerPackage {
  const declared = findManifest()?.manifest.packageManager;
  const [name, version] = typeof declared === "string" ? declared.split("@") : [];
  return toolOf(manager, name === manager ? version : undefined);
}

async function programOf(tool: ManagerPackage): Promise<string> {
  const { manager, version } = tool;
  const find = () =>
    placesOf(tool)
      .map((place) => join(place, tool.program))
      .find((program) => existsSync(program));
  const there = find();
  if (there) return there;
  if (TREADLE_TOOLS && existsSync(TREADLE_TOOLS))
    await askHost({ manager, args: [], folder: "", tool: version });
  const fetched = find();
  if (fetched) return fetched;
  process.stderr.write(`Treadle fetches ${tool.package} ${tool.version}…\n`);
  const own = placesOf(tool).at(-1)!;
  const words = ["install", "--prefix", own, "--ignore-scripts", "--silent"];
  spawnSync(process.execPath, [...npmProgram, ...words, `${tool.package}@${tool.version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const program = find();
  if (program) return program;
  process.stderr.write(
    `${manager} ${tool.version} could not be fetched from the package registry.\n`,
  );
  process.exit(1);
}

async function runTool(manager: ManagerName, words: readonly string[]): Promise<void> {
  if (manager === "npm") return become(process.execPath, [...npmProgram, ...words]);
  const tool = wantedTool(manager);
  const program = await programOf(tool);
  // Caches go to the project's own folder outside its files, and not into memory.
  const cache = (name: string) => join(HOME, ".cache", name);
  const registry = process.env.npm_config_registry;
  become(program, words, {
    ...process.env,
    npm_config_store_dir: cache("pnpm-store"),
    pnpm_config_store_dir: cache("pnpm-store"),
    // Nobody could confirm the removal of a node_modules that another tool has created.
    npm_config_confirm_modules_purge: "false",
    pnpm_config_confirm_modules_purge: "false",
    // The version is chosen by Treadle; the tool must not download itself.
    npm_config_manage_package_manager_versions: "false",
    pnpm_config_manage_package_manager_versions: "false",
    pnpm_config_pm_on_fail: "ignore",
    pnpm_config_update_notifier: "false",
    // A build script that pnpm did not run is worth a warning; from version 11 on, pnpm would
    // otherwise exit with 1.
    pnpm_config_strict_dep_builds: "false",
    // pnpm from 11 on, and Yarn from 2 on, do not read npm's settings any more.
    ...(registry && { pnpm_config_registry: registry, YARN_NPM_REGISTRY_SERVER: registry }),
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_GLOBAL_FOLDER: cache("yarn-berry"),
    ...(tool.version.startsWith("1.") || usesGlobalCache(process.cwd())
      ? { YARN_CACHE_FOLDER: cache("yarn") }
      : { YARN_ENABLE_GLOBAL_CACHE: "0" }),
    YARN_ENABLE_TELEMETRY: "0",
    BUN_INSTALL_CACHE_DIR: cache("bun"),
    DO_NOT_TRACK: "1",
  });
}

const command = readManagerCommand(typed, args);
const found = command.kind === "script" ? findManifest() : undefined;
const script =
  command.kind === "script" && found
    ? scriptCommand(found, command.name, command.rest, { env: process.env, from: process.cwd() })
    : undefined;
if (found && script) {
  process.stdout.write(script.message);
  process.chdir(found.folder);
  become("sh", ["-c", script.command], script.env);
} else if (command.kind === "script" && typed === "npm" && isPlugAndPlay(process.cwd()))
  await runTool("yarn", ["run", command.name, ...command.rest]);
else if (command.kind === "script" || command.kind === "other") await runTool(typed, args);
else {
  const folder = findManifest()?.folder ?? process.cwd();
  // Without devDependencies the install differs from the prepared one.
  const isAnswered = process.env.TREADLE_ANSWERED === "1";
  delete process.env.TREADLE_ANSWERED;
  const answer: InstallAnswer =
    process.env.NODE_ENV === "production" || isAnswered
      ? { act: "run", manager: typed, args }
      : await askHost({ manager: typed, args, folder });
  if (answer.act === "run") await runTool(answer.manager, answer.args);
  else process.exitCode = answer.code;
}
