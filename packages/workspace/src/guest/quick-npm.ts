import { toProjectPath } from "@treadle/protocol/project-path";
import type { InstallAnswer } from "../wire/install.ts";
import type { createFiles } from "./files.ts";
import type { InstallAsks } from "./install-asks.ts";
import { readManagerCommand } from "../package-managers/manager-command.ts";
import { isManager, type ManagerName } from "../package-managers/managers.ts";
import { plainWords } from "./plain-command.ts";
import type { ProcessEvents, Processes } from "./processes.ts";
import { scriptCommand, type PackageJson } from "./run-script.ts";

const MANIFEST = toProjectPath("package.json");
/** Larger manifests are left to the package manager. */
const MAX_MANIFEST = 1024 * 1024;

/**
 * Handles `npm install` and `npm run dev` in the guest itself, as manager-front.ts does on the
 * PATH. Starting that front takes longer (Node: 40 ms) than installing prepared dependencies, so a
 * command that consists of nothing else is handled here, with the same output.
 */
export function createQuickNpm(options: {
  root: string;
  /** The environment of a new process, with these additional variables. */
  env(more?: Record<string, string>): Record<string, string>;
  files: ReturnType<typeof createFiles>;
  processes: Processes;
  asks: InstallAsks;
  events: ProcessEvents;
}) {
  const { root, processes, asks, events } = options;
  /** Functions that cancel installs that do not have a process yet. */
  const asking = new Map<string, () => void>();

  async function readManifest(): Promise<PackageJson | undefined> {
    try {
      // Read through the files module: the path may be a link to elsewhere, or a pipe that never
      // ends.
      const { bytes } = await options.files.read(MANIFEST, MAX_MANIFEST);
      const manifest = JSON.parse(Buffer.from(bytes).toString()) as PackageJson | null;
      return manifest ?? undefined;
    } catch {
      return undefined;
    }
  }

  function install(id: string, manager: ManagerName, args: string[], env: Record<string, string>) {
    const answered = (answer: InstallAnswer) => {
      asking.delete(id);
      if (answer.act === "done") return events.onExit(id, answer.code);
      const words = [answer.manager, ...answer.args].map(quoted).join(" ");
      processes.start(id, words, { env: { ...env, TREADLE_ANSWERED: "1" } });
    };
    asking.set(
      id,
      asks.ask(
        { manager, args, folder: root },
        { write: (text) => void events.onOutput(id, Buffer.from(text)), answered },
      ),
    );
  }

  return {
    /**
     * Starts the command if it is one of these, and returns whether it is; its output and exit are reported as for any
     * other.
     */
    async start(
      id: string,
      command: string,
      env: Record<string, string> = {},
      openInput = false,
    ): Promise<boolean> {
      const [manager, ...args] = plainWords(command) ?? [];
      if (manager === undefined || !isManager(manager) || env.PATH !== undefined) return false;
      const read = readManagerCommand(manager, args);
      if (read.kind !== "script" && read.kind !== "install") return false;
      const manifest = await readManifest();
      if (!manifest) return false;
      const all = { ...options.env(env), ...env };
      if (read.kind === "install") {
        if (all.NODE_ENV === "production" || !all.TREADLE_INSTALL_SOCKET) return false;
        install(id, manager, args, env);
        return true;
      }
      const place = { folder: root, manifest };
      const script = scriptCommand(place, read.name, read.rest, { env: all, from: root });
      if (!script) return false;
      events.onOutput(id, Buffer.from(script.message));
      processes.start(id, script.command, { env: script.env, shell: "sh", openInput });
      return true;
    },

    /** Cancels a command that has no process yet; returns false if there is none. */
    kill(id: string): boolean {
      const leave = asking.get(id);
      if (!leave) return false;
      asking.delete(id);
      leave();
      events.onExit(id, 143, "SIGTERM");
      return true;
    },
  };
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
