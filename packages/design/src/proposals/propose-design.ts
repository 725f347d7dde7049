import { offThread, ParserFailure } from "@treadle/parsing";
import type { DesignProposal, ProjectDesign } from "@treadle/protocol";
import type { DesignOptions } from "../tokens/project-design.ts";
import type { ExportProblem, parse as parseExport } from "./read-export.parser.ts";
import type { LookStyle, parse as parseLook } from "./read-look.parser.ts";

/** Time limit for parsing one token file, or one page's look, in milliseconds. */
const LIMIT_MS = 5_000;
const readExport = offThread<typeof parseExport>(import.meta.url, "./read-export.parser.ts", {
  limitMs: LIMIT_MS,
});

const readLook = offThread<typeof parseLook>(import.meta.url, "./read-look.parser.ts", {
  limitMs: LIMIT_MS,
});

/** Tokens from another source, and the problems found, by the codes of their sentences. */
export interface ProposedDesign {
  tokens: DesignProposal["tokens"];
  problems: (ExportProblem | { code: "tokens-only-in-modes"; parts: string[]; more: number })[];
}

/** Proposes the tokens of another project. Tokens that only repeat others are left out. */
export function proposeFromDesign(design: ProjectDesign): ProposedDesign {
  const second = design.modes.find(({ kind }) => kind !== "base")?.id;
  const own = design.tokens.filter(({ aliasOf }) => aliasOf === undefined);
  const tokens = own.flatMap(({ name, group, values: { base, ...others } }) =>
    base === undefined
      ? []
      : [
          {
            name,
            group,
            values: { base, dark: second === undefined ? undefined : others[second] },
          },
        ],
  );
  if (tokens.length === 0) return { tokens, problems: [{ code: "tokens-none" }] };
  const left = own.filter(({ values }) => values["base"] === undefined).map(({ name }) => name);
  if (left.length === 0) return { tokens, problems: [] };
  const parts = left.slice(0, 5);
  const more = left.length - parts.length;
  return { tokens, problems: [{ code: "tokens-only-in-modes", parts, more }] };
}

/** Proposes the tokens in a file. A file that takes too long to parse gives no tokens, but a problem. */
export async function proposeFromExport(
  text: string,
  options: DesignOptions,
): Promise<ProposedDesign> {
  try {
    return await readExport(options, text);
  } catch (error) {
    if (!(error instanceof ParserFailure) || error.code === "aborted") throw error;
    return { tokens: [], problems: [{ code: "tokens-not-json" }] };
  }
}

/**
 * Proposes tokens derived from a page's look.
 * @throws ParserFailure if its values take too long to parse
 */
export const proposeFromLook = (
  look: { light: LookStyle; dark?: LookStyle | undefined },
  options: DesignOptions,
): Promise<DesignProposal["tokens"]> => readLook(options, look);
