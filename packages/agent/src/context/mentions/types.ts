import type { Evidence, MentionedItem, ProjectPath } from "@treadle/protocol";
import type { Mention } from "@treadle/protocol/mentions";
import type { Workspace } from "@treadle/workspace";
import type { fetchPublic } from "../../fetch/fetch-public.ts";
import type { McpAnswer } from "../../mcp/types.ts";
import type { PageStep, PageUse } from "../../ports/browser.ts";

/** What mentions can name that the run itself does not have. */
export interface MentionSources {
  /** Newest text of a terminal, escape sequences included; without a name, of the one used last. Undefined: there is none. */
  terminal(name?: string): Promise<{ name: string; text: string } | undefined>;
  /** Something that a tool server lets read. Rejects with why it cannot be had. */
  resource?(server: string, uri: string, signal: AbortSignal): Promise<McpAnswer>;
  /** The newest evidence of the project. */
  evidence(): Evidence | undefined;
}

/** What resolving one mention works with. */
export interface MentionContext {
  workspace: Workspace;
  signal: AbortSignal;
  sources: MentionSources | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** The model was shown this file as it is at this version. */
  read(path: ProjectPath, version: string): void;
  usePage?: (use: { path: string; steps: PageStep[]; signal: AbortSignal }) => Promise<PageUse>;
  /** Tests put their own in place of the internet. */
  fetch?: typeof fetchPublic;
}

/** What a mention came to; undefined: it is none, only a word with an `@`. */
export type ResolvedMention =
  | { ok: true; said: string; content: string; path?: string }
  | { ok: false; said: string; path?: string }
  | undefined;

export type ResolveMention<K extends Mention["kind"]> = (
  mention: Extract<Mention, { kind: K }>,
  context: MentionContext,
) => Promise<ResolvedMention>;

/** Kept with the person's message, so that the history stays the same. */
export interface MentionsData {
  items: MentionedItem[];
  /** As the model reads it. */
  text: string;
}
