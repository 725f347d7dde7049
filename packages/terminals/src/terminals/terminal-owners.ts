import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Author, TerminalSharing } from "@treadle/protocol";
import { z } from "zod";

/** The owner of a terminal, and what others may do with it. */
export interface TerminalOwnership {
  /** Who opened it. */
  owner: Author;
  /** Absent: others see only that it exists. */
  sharing?: TerminalSharing | undefined;
}

const stored = z.record(
  z.string(),
  z.object({
    owner: z.object({ id: z.string(), name: z.string() }),
    sharing: z.enum(["see", "type"]).optional(),
  }),
);

/** The owners of a project's terminals, by the names in their addresses. Stored in one small file. */
export interface TerminalOwners {
  /** Reads the file once; everything else is answered from memory. */
  load(): Promise<void>;
  get(name: string): TerminalOwnership | undefined;
  /** Changes an ownership in memory at once; undefined removes it. Rejects if the change cannot be saved. */
  set(name: string, ownership: TerminalOwnership | undefined): Promise<void>;
}

export function createTerminalOwners(file: string): TerminalOwners {
  const owners = new Map<string, TerminalOwnership>();
  let loading: Promise<void> | undefined;
  /** Writes are serialised, because each rewrites the file. */
  let order: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const text = await readFile(file, "utf8").catch(() => "{}");
    for (const [name, ownership] of Object.entries(readOwners(text))) owners.set(name, ownership);
  }

  async function write(): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(Object.fromEntries(owners)), { mode: 0o600 });
  }

  return {
    load: () => (loading ??= read()),
    get: (name) => owners.get(name),
    set(name, ownership) {
      if (ownership) owners.set(name, ownership);
      else if (!owners.delete(name)) return order;
      const written = order.then(write);
      order = written.catch(() => undefined);
      return written;
    },
  };
}

function readOwners(text: string): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    // A damaged file names no owners, so each terminal belongs to whoever opens it next.
    return {};
  }
}
