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

/** Where tokens can be taken over from. */
export type DesignSource = { project: string } | { tokens: string } | { address: string };

/** What sources are read with. */
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
 * Reads the tokens of a source, as the person sees them before any is taken. Nothing is written.
 * @param project whose tokens they may become
 * @throws ApiFailure if the other project is not there or its style sheets cannot be read, or if no page is at the address
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

/** The address is opened in a light and in a dark browser, each with nothing of the other. */
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
  // Each code's values are those of its sentence.
  const write = sentence as (code: string, values: object) => ReturnType<typeof sentence>;
  return write(code, values);
}
