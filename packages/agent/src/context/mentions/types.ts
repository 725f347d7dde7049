import type { Evidence, MentionedItem, ProjectPath } from "@treadle/protocol";
import type { Mention } from "@treadle/protocol/mentions";
import type { Workspace } from "@treadle/workspace";
import type { fetchPublic } from "../../fetch/fetch-public.ts";
import type { McpAnswer } from "../../mcp/types.ts";
import type { PageStep, PageUse } from "../../ports/browser.ts";

/** Sources for mentions that the run itself does not have. */
export interface MentionSources {
  /**
   * Newest text of a terminal, including escape sequences; without a name, of the last used one.
   * Undefined if there is none.
   */
  terminal(name?: string): Promise<{ name: string; text: string } | undefined>;
  /** Reads a resource of a tool server. Rejects with the reason if it is unavailable. */
  resource?(server: string, uri: string, signal: AbortSignal): Promise<McpAnswer>;
  /** The newest evidence of the project. */
  evidence(): Evidence | undefined;
}

/** The sources with which mentions are resolved. */
export interface MentionContext {
  workspace: Workspace;
  signal: AbortSignal;
  sources: MentionSources | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Records that the model has seen this version of the file. */
  read(path: ProjectPath, version: string): void;
  usePage?: (use: { path: string; steps: PageStep[]; signal: AbortSignal }) => Promise<PageUse>;
  /** Replaced in tests, which have no internet. */
  fetch?: typeof fetchPublic;
}

/** The result of a mention; undefined if it is an ordinary word after an `@`. */
export type ResolvedMention =
  | { ok: true; said: string; content: string; path?: string }
  | { ok: false; said: string; path?: string }
  | undefined;

export type ResolveMention<K extends Mention["kind"]> = (
  mention: Extract<Mention, { kind: K }>,
  context: MentionContext,
) => Promise<ResolvedMention>;

/** Saved with the person's message, so that the history stays the same. */
export interface MentionsData {
  items: MentionedItem[];
  /** The text for the model. */
  text: string;
}
