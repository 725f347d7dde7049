import { spawn, type IPty } from "@lydell/node-pty";
import { afterGuest } from "./processes.ts";
import { MARK } from "./process-table.ts";

/** Interactive shells on real ptys. */
export function createTerminals(options: {
  root: string;
  /** The environment of a new process, with these additional variables. */
  env(more?: Record<string, string>): Record<string, string>;
  /** Whether all visible processes are the sandbox's. */
  alone: boolean;
  onData: (id: string, data: string) => boolean;
  onExit: (id: string, code: number) => void;
}) {
  const open = new Map<string, IPty>();
  return {
    start(id: string, columns: number, rows: number): void {
      const pty = spawn("bash", ["-c", `${afterGuest(options.alone)} bash -i`], {
        name: "xterm-256color",
        cols: columns,
        rows,
        cwd: options.root,
        env: { ...options.env(), [MARK]: id, TERM: "xterm-256color", COLORTERM: "truecolor" },
      });
      open.set(id, pty);
      pty.onData((data) => {
        if (!options.onData(id, data)) pty.pause();
      });
      pty.onExit(({ exitCode }) => {
        open.delete(id);
        options.onExit(id, exitCode);
      });
    },
    write: (id: string, data: string) => open.get(id)?.write(data),
    resize: (id: string, columns: number, rows: number) => open.get(id)?.resize(columns, rows),
    kill: (id: string) => open.get(id)?.kill("SIGKILL"),
    list: () => [...open.keys()],
    resume: () => {
      for (const pty of open.values()) pty.resume();
    },
  };
}
