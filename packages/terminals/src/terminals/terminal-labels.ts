import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The person's labels for a project's terminals, by the names in their addresses. Stored in one small file. */
export function createTerminalLabels(file: string): {
  all(): Promise<Record<string, string>>;
  /** The name of the existing terminal with this label. */
  named(label: string, names: readonly string[]): Promise<string | undefined>;
  /** Sets a label; an empty one removes it. Rejects if it cannot be saved. */
  set(name: string, label: string): Promise<void>;
} {
  /** Changes are serialised, because each rewrites the file. */
  let order: Promise<unknown> = Promise.resolve();

  const all = async () => readLabels(await readFile(file, "utf8").catch(() => ""));

  async function change(name: string, label: string): Promise<void> {
    const labels = new Map(Object.entries(await all()));
    if ((labels.get(name) ?? "") === label) return;
    if (label === "") labels.delete(name);
    else labels.set(name, label);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(Object.fromEntries(labels)), { mode: 0o600 });
  }

  return {
    all,
    async named(label, names) {
      const labels = await all();
      return names.find((name) => labels[name] === label);
    },
    set(name, label) {
      const changed = order.then(() => change(name, label));
      order = changed.catch(() => undefined);
      return changed;
    },
  };
}

/** Parses stored labels; an invalid text contains none. */
function readLabels(text: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    );
  } catch {
    return {};
  }
}
