import type { WebContainer, WebContainerProcess } from "@webcontainer/api";

/** After this long without output, a typed command has finished changing files. */
const QUIET_MS = 700;

interface Shell {
  process: WebContainerProcess;
  input: WritableStreamDefaultWriter<string>;
}

/** Shells of the container for the person's terminals, by number. */
export class ContainerTerminals {
  readonly #container: WebContainer;
  /** Resolves with the shell's process; text typed meanwhile is written after it, in order. */
  readonly #shells = new Map<number, Promise<Shell>>();

  constructor(container: WebContainer) {
    this.#container = container;
  }

  /**
   * Runs a shell until it exits.
   * @param handlers.onQuiet called when output has stopped for a while
   * @returns the shell's exit code
   */
  async run(
    id: number,
    size: { columns: number; rows: number },
    handlers: { onOutput(text: string): void; onQuiet(): void },
  ): Promise<number> {
    const started = this.#start(size);
    this.#shells.set(id, started);
    let quiet: ReturnType<typeof setTimeout> | undefined;
    try {
      const { process } = await started;
      const printed = process.output.pipeTo(
        new WritableStream({
          write(text) {
            handlers.onOutput(text);
            clearTimeout(quiet);
            quiet = setTimeout(() => handlers.onQuiet(), QUIET_MS);
          },
        }),
      );
      const code = await process.exit;
      await printed.catch(() => undefined);
      return code;
    } finally {
      clearTimeout(quiet);
      this.#shells.delete(id);
    }
  }

  write(id: number, data: string): void {
    this.#withShell(id, ({ input }) => input.write(data));
  }

  resize(id: number, { columns, rows }: { columns: number; rows: number }): void {
    this.#withShell(id, ({ process }) => process.resize({ cols: columns, rows }));
  }

  kill(id: number): void {
    this.#withShell(id, ({ process }) => process.kill());
  }

  async #start({ columns, rows }: { columns: number; rows: number }): Promise<Shell> {
    const terminal = { cols: columns, rows };
    const process = await this.#container.spawn("jsh", { terminal });
    return { process, input: process.input.getWriter() };
  }

  /** Calls `act` once the shell has started; does nothing for a shell that has exited or failed to start. */
  #withShell(id: number, act: (shell: Shell) => unknown): void {
    this.#shells
      .get(id)
      ?.then(act)
      .catch(() => undefined);
  }
}
