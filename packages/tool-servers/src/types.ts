import type { McpAnswer, McpTool } from "@treadle/agent";
import type { McpOffers, McpOverview, McpPromptText, MissingServer } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { McpScope } from "./mcp-store.ts";

/** What a run gets of tool servers. */
export interface RunTools {
  tools: McpTool[];
  /** Servers that have none to give now, and why, in a sentence. */
  missing: MissingServer[];
}

/** Every tool server that is set up, for all projects or for one: what the page changes, and what a run gets of them. */
export interface McpHub {
  /** Tools of the servers that answer now, and which do not; none of those that still start when the signal aborts. */
  toolsFor(project: string, workspace: Workspace, signal: AbortSignal): Promise<RunTools>;
  overview(project?: string): Promise<McpOverview>;
  /** Adds what the text sets up, or puts it in place of what has that name. @throws ApiFailure with what is wrong */
  save(place: McpScope, text: string): Promise<void>;
  update(
    place: McpScope,
    name: string,
    change: { enabled?: boolean; trusted?: boolean },
  ): Promise<void>;
  remove(place: McpScope, name: string): Promise<void>;
  /** Starts it anew. Resolves when it answers or has failed to. @param project whose sandbox it runs in */
  restart(place: McpScope, name: string, project?: string): Promise<void>;
  /** Says whether tools are called without asking, as they are described now. @param tool absent: all of them */
  allow(options: {
    place: McpScope;
    name: string;
    tool?: string | undefined;
    allowed: boolean;
    project?: string;
  }): Promise<void>;
  /** What the person answered to the question about a tool: `what` is of the question's subject. */
  allowAsked(project: string, what: readonly string[]): Promise<void>;
  /** Takes a server over that a file of the project asks for. */
  accept(project: string, digest: string): Promise<void>;
  /** @returns where the person signs in; undefined where they are signed in */
  beginSignIn(place: McpScope, name: string): Promise<string | undefined>;
  endSignIn(given: { code: string; state: string; issuer?: string | undefined }): Promise<void>;
  /** @throws McpError */
  readResource(
    project: string,
    name: string,
    uri: string,
    signal?: AbortSignal,
  ): Promise<McpAnswer>;
  /** A prompt filled in, and as a message says it. @throws McpError */
  getPrompt(
    project: string,
    name: string,
    values: Record<string, string>,
    prompt: string,
  ): Promise<McpPromptText>;
  /** What an argument of a prompt may be. Nothing where the server does not run. @throws McpError */
  complete(
    project: string,
    name: string,
    prompt: string,
    argument: { name: string; value: string },
    values: Record<string, string>,
  ): Promise<string[]>;
  /** What a person can take into a message. @param start what does not run yet is started, and not waited for */
  offers(project: string, start: boolean): Promise<McpOffers>;
  /** Ends what runs in the project's sandbox. */
  rest(project: string): Promise<void>;
  /** The project is removed. */
  forget(project: string): Promise<void>;
  close(): Promise<void>;
}
