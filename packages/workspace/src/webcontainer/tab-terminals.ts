import { randomBytes } from "node:crypto";
import type { Terminal } from "../types.ts";
import type { TabAsking } from "./tab-asking.ts";
import { TabLeft, type TabLink } from "./tab-link.ts";

/** Number of characters of a terminal's output that are stored for a page that reconnects. */
const KEPT = 256 * 1024;
/** Exit code of a killed shell. */
const KILLED = 137;
const WAITS = "[treadle] This shell waits for the project's tab.\r\n";
const LEFT = "\r\n[treadle] The tab was closed, and this shell with it.\r\n";

/** Shells in the tab: each belongs to the container in which it started, and ends with it. */
export interface TabTerminals {
  /** Opens a shell that starts at once, or when a tab connects. */
  open(size: { columns: number; rows: number }): Terminal;
  /** Ends all shells. */
  end(): void;
}

export function createTabTerminals(asking: TabAsking, link: TabLink): TabTerminals {
  const open = new Set<Terminal>();

  return {
    open(size) {
      const controller = new AbortController();
      const onData = new Set<(data: string) => void>();
      const onExit = new Set<(code: number) => void>();
      let scrollback = "";
      let exitCode: number | undefined;
      let target = size;
      /** Its number in the tab, and input received before it had one. */
      let id: number | undefined;
      let typed = "";
      let cancel = () => {};

      function print(text: string): void {
        scrollback += text;
        // Cut only at twice the limit, because each cut copies the rest.
        if (scrollback.length > 2 * KEPT) scrollback = scrollback.slice(-KEPT);
        for (const listener of onData) listener(text);
      }
      function end(code: number): void {
        if (exitCode !== undefined) return;
        exitCode = code;
        open.delete(terminal);
        for (const listener of onExit) listener(code);
      }
      async function run(): Promise<void> {
        if (!asking.isOpen) print(WAITS);
        try {
          await asking.whenOpen(controller.signal);
          controller.signal.throwIfAborted();
          const { code } = await asking.askNow(
            { kind: "terminal", ...target },
            {
              onOutput: print,
              onAsked(number, stop) {
                id = number;
                cancel = stop;
                if (typed !== "") link.send({ type: "input", id, data: typed });
                typed = "";
              },
            },
          );
          end(code);
        } catch (error) {
          if (error instanceof TabLeft) print(LEFT);
          else if (!controller.signal.aborted)
            print(`\r\n[treadle] ${(error as Error).message}\r\n`);
          end(KILLED);
        }
      }

      const terminal: Terminal = {
        id: randomBytes(6).toString("hex"),
        write(data) {
          if (exitCode !== undefined) return;
          if (id === undefined) typed += data;
          else link.send({ type: "input", id, data });
        },
        resize(next) {
          target = next;
          if (id !== undefined && exitCode === undefined)
            link.send({ type: "resize", id, ...next });
        },
        onData(listener) {
          if (scrollback !== "") listener(scrollback);
          onData.add(listener);
          return () => onData.delete(listener);
        },
        onExit(listener) {
          if (exitCode !== undefined) listener(exitCode);
          onExit.add(listener);
          return () => onExit.delete(listener);
        },
        kill() {
          controller.abort();
          cancel();
          end(KILLED);
        },
      };
      open.add(terminal);
      void run();
      return terminal;
    },
    end() {
      for (const terminal of open) terminal.kill();
    },
  };
}
