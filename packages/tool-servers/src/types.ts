import type { McpAnswer, McpTool } from "@treadle/agent";
import type { McpOffers, McpOverview, McpPromptText, MissingServer } from "@treadle/protocol";
import type { Workspace } from "@treadle/workspace";
import type { McpScope } from "./mcp-store.ts";

/** The tools for a run. */
export interface RunTools {
  tools: McpTool[];
  /** Servers that have no tools at present, with the reason as a sentence. */
  missing: MissingServer[];
}

/** All tool servers, configured for all projects or for one: changes made in the page, and the tools for runs. */
export interface McpHub {
  /**
   * The tools of servers that answer now, and the servers that do not. When the signal aborts, servers that are still
   * starting are left out.
   */
  toolsFor(project: string, workspace: Workspace, signal: AbortSignal): Promise<RunTools>;
  overview(project?: string): Promise<McpOverview>;
  /**
   * Adds the servers in the text, replacing those of the same name.
   * @param isOn whether new ones are switched on; default: yes
   * @throws ApiFailure that says what is wrong
   */
  save(place: McpScope, text: string, isOn?: boolean): Promise<void>;
  update(
    place: McpScope,
    name: string,
    change: { enabled?: boolean; trusted?: boolean },
  ): Promise<void>;
  remove(place: McpScope, name: string): Promise<void>;
  /**
   * Restarts a server. Resolves when it answers or has failed to. @param project the project in whose sandbox it runs
   */
  restart(place: McpScope, name: string, project?: string): Promise<void>;
  /** Changes whether tools may be called without asking, as they are described now. @param tool absent: all of them */
  allow(options: {
    place: McpScope;
    name: string;
    tool?: string | undefined;
    allowed: boolean;
    project?: string;
  }): Promise<void>;
  /** Records that the person allowed a tool when they were asked. @param what the `what` of the question's subject */
  allowAsked(project: string, what: readonly string[]): Promise<void>;
  /** Adds a server that a file of the project proposes. */
  accept(project: string, digest: string): Promise<void>;
  /** Begins a sign-in. @returns the address at which the person signs in; undefined if they are signed in already */
  beginSignIn(place: McpScope, name: string): Promise<string | undefined>;
  endSignIn(given: { code: string; state: string; issuer?: string | undefined }): Promise<void>;
  /** Reads a resource of a server. @throws McpError */
  readResource(
    project: string,
    name: string,
    uri: string,
    signal?: AbortSignal,
  ): Promise<McpAnswer>;
  /** Fills in a prompt, and formats it as a message. @throws McpError */
  getPrompt(
    project: string,
    name: string,
    values: Record<string, string>,
    prompt: string,
  ): Promise<McpPromptText>;
  /** Suggests values for a prompt's argument; none if the server does not run. @throws McpError */
  complete(
    project: string,
    name: string,
    prompt: string,
    argument: { name: string; value: string },
    values: Record<string, string>,
  ): Promise<string[]>;
  /**
   * The prompts and resources that a person can insert into a message. @param start whether to start servers that do
   * not run, without waiting for them
   */
  offers(project: string, start: boolean): Promise<McpOffers>;
  /** Closes the servers in the project's sandbox. */
  rest(project: string): Promise<void>;
  /** Deletes what is stored for a removed project. */
  forget(project: string): Promise<void>;
  close(): Promise<void>;
}
