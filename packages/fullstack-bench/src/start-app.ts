import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toProjectPath } from "@treadle/protocol/project-path";
import { DATABASE_NAMES, type Pipe, type Workspace } from "@treadle/workspace";
import { createAddressFinder } from "./first-address.ts";
import type { InstallCommand, RuleResult } from "./types.ts";

/** How long the judges wait for the first address, in milliseconds. */
export const ADDRESS_MS = 60_000;
const INSTALL_MS = 600_000;
/** Maximum characters of output that are kept for people. */
const OUTPUT_CHARS = 1_500;
const LOOK_MS = 50;
/**
 * The judges' preparation: `DB_HOST=workspace`, the name of one of their containers, resolves to
 * this machine.
 */
export async function prepareEnvironment(workspace: Workspace): Promise<void> {
  const path = toProjectPath("backend/.env");
  const file = await workspace.files.read(path).catch(() => undefined);
  if (!file) return;
  const text = Buffer.from(file.bytes).toString("utf8");
  const changed = text.replaceAll("DB_HOST=workspace", "DB_HOST=localhost");
  if (changed !== text) await workspace.files.write(path, changed);
}

/**
 * Installs as the judges do: `install:all`, then plain installs where necessary. They continue
 * after a failure, which is only recorded.
 */
export async function installApp(
  workspace: Workspace,
  { directory, signal }: { directory: string; signal: AbortSignal },
): Promise<RuleResult & { code: "install" }> {
  const has = (folder: string) => existsSync(join(directory, folder, "package.json"));
  const candidates = [
    "npm run install:all",
    "npm install",
    ...(has("frontend") ? ["cd frontend && npm install"] : []),
    ...(has("backend") ? ["cd backend && npm install"] : []),
  ];
  const commands: InstallCommand[] = [];
  for (const command of candidates) {
    const exit = await workspace.run(command, { signal, timeoutMs: INSTALL_MS });
    signal.throwIfAborted();
    const code = exit.kind === "exited" ? exit.code : null;
    const output = exit.output.trim().slice(-OUTPUT_CHARS);
    commands.push({
      command,
      exit: code,
      ms: Math.round(exit.ms),
      output: code === 0 ? undefined : output,
    });
  }
  // The script named in the benchmark's rules has to work by itself.
  return { code: "install", state: commands[0]!.exit === 0 ? "held" : "failed", commands };
}

/** A running app. */
export interface StartedApp {
  result: RuleResult & { code: "start" };
  /** Ends it with all its processes. */
  end(): Promise<void>;
}

/** Runs `npm run dev`, and waits for the first address on stdout. */
export async function startApp(workspace: Workspace, signal: AbortSignal): Promise<StartedApp> {
  const began = performance.now();
  // The sandbox defines its database variables; the judges' machine does not: an app has to know it
  // from its own files.
  const unset = DATABASE_NAMES.map((name) => `-u ${name}`).join(" ");
  const app: Pipe = await workspace.pipe(`exec env ${unset} npm run dev`, { leavesFiles: true });
  const find = createAddressFinder();
  let port: number | undefined;
  let printed = "";
  let ended: number | undefined;
  const record = (text: string) => (printed = (printed + text).slice(-OUTPUT_CHARS));
  const decoder = new TextDecoder();
  app.onData((bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    record(text);
    port ??= find(text);
  });
  app.onErrors(record);
  void app.ended.then(({ code }) => (ended = code));
  while (port === undefined && ended === undefined && performance.now() - began < ADDRESS_MS) {
    signal.throwIfAborted();
    await sleep(LOOK_MS);
  }
  const ms = Math.round(performance.now() - began);
  const isUp = port !== undefined && ended === undefined;
  return {
    result: {
      code: "start",
      state: isUp ? "held" : "failed",
      port: port ?? null,
      ms,
      ended,
      output: isUp ? undefined : printed.trim(),
    },
    end: () => app.kill(),
  };
}
