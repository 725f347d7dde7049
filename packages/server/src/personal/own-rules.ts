import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure } from "@treadle/common";
import { readPersonal, RULES } from "./read-personal.ts";

/** The person's own rules for the page's editor. */
export interface OwnRulesFile {
  /**
   * The text of `rules.md`, the paths of the files under `rules/`, which are edited on disk, and the maximum length
   * of all rules in characters.
   */
  read(): Promise<{ text: string; others: string[]; limit: number }>;
  /** An empty text removes the file. @throws ApiFailure 413 if the text is too long */
  write(text: string): Promise<void>;
}

/** Reads and writes `rules.md` in the data folder. */
export function ownRules(dataDirectory: string): OwnRulesFile {
  const path = join(dataDirectory, "rules.md");
  return {
    async read() {
      const { rules } = await readPersonal(dataDirectory);
      const own = rules.find((rule) => rule.path === "rules.md");
      const others = rules.filter((rule) => rule !== own).map((rule) => rule.path);
      return { text: own?.text ?? "", others, limit: RULES };
    },
    async write(text) {
      if (text.length > RULES)
        throw new ApiFailure(
          413,
          "rules-too-long",
          sentence("rules-too-long", { limit: RULES, length: text.length }),
        );
      if (text.trim() === "") return rm(path, { force: true });
      await mkdir(dataDirectory, { recursive: true });
      await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
      await rename(`${path}.new`, path);
    },
  };
}
