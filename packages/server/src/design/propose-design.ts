import { BrowserError } from "@treadle/browser";
import { ApiFailure, notFound } from "@treadle/common";
import {
  proposeFromDesign,
  proposeFromExport,
  proposeFromLook,
  type ProposedDesign,
} from "@treadle/design";
import type { DesignProposal } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import type { PageStyle } from "@treadle/browser";
import type { ProjectRecord, Store } from "@treadle/store";
import type { Runtimes } from "../runtime/runtimes.ts";
import { readDesign } from "./change-design.ts";

/** Sources from which tokens can be taken. */
export type DesignSource = { project: string } | { tokens: string } | { address: string };

/** Readers for the sources of a design. */
export interface SourceReaders {
  runtimes: Pick<Runtimes, "get">;
  store: Pick<Store, "projects">;
  readStyle(
    project: ProjectRecord,
    address: URL,
    options: { dark: boolean; signal: AbortSignal },
  ): Promise<PageStyle | undefined>;
}

/**
 * Reads the tokens of a source, for the person to choose from. Writes nothing.
 * @param project the project that may take them
 * @throws ApiFailure if the other project does not exist, its style sheets cannot be read, or there
 * is no page at the address
 */
export async function proposeDesign(
  readers: SourceReaders,
  project: string,
  source: DesignSource,
  signal: AbortSignal,
): Promise<DesignProposal> {
  const proposed = await read(readers, project, source, signal);
  return { tokens: proposed.tokens, problems: proposed.problems.map(problemText) };
}

async function read(
  readers: SourceReaders,
  project: string,
  source: DesignSource,
  signal: AbortSignal,
): Promise<ProposedDesign> {
  if ("project" in source)
    return proposeFromDesign(await readDesign(await readers.runtimes.get(source.project)));
  if ("tokens" in source) return proposeFromExport(source.tokens, { lane: project, signal });
  return { tokens: await readLook(readers, project, source.address, signal), problems: [] };
}

/**
 * Reads tokens of the page at an address, which is opened once with a light and once with a dark colour scheme.
 * @throws ApiFailure 400 `look-address`, 404, 409 `no-browser`, 422 `look-failed`
 */
async function readLook(
  { store, readStyle }: SourceReaders,
  project: string,
  written: string,
  signal: AbortSignal,
): Promise<ProposedDesign["tokens"]> {
  const address = URL.parse(written);
  if (!address || !/^https?:$/.test(address.protocol) || address.username !== "")
    throw new ApiFailure(400, "look-address", sentence("look-address"));
  const record = await store.projects.get(project);
  if (!record) throw notFound("project");
  try {
    const light = await readStyle(record, address, { dark: false, signal });
    if (!light)
      throw new ApiFailure(422, "look-failed", sentence("look-failed", { host: address.host }));
    const dark = await readStyle(record, address, { dark: true, signal });
    return await proposeFromLook({ light, dark }, { lane: project, signal });
  } catch (error) {
    if (error instanceof BrowserError)
      throw new ApiFailure(409, "no-browser", sentence("look-no-browser"));
    throw error;
  }
}

function problemText({ code, ...values }: ProposedDesign["problems"][number]) {
  // Each code has the values of its own sentence.
  const write = sentence as (code: string, values: object) => ReturnType<typeof sentence>;
  return write(code, values);
}
