/** External tool servers (Model Context Protocol): their configuration, and what they offer. */
import type { Sentence } from "@treadle/protocol/sentences";
import type { JSONSchema7 } from "@ai-sdk/provider";

/** The configuration of one server, in the form that other programs use as well. */
export type McpServerConfig =
  | { type: "stdio"; command: string; args: string[]; env: Record<string, string> }
  | { type: "http" | "sse"; url: string; headers: Record<string, string> };

/** A tool as its server describes it. */
export interface McpDefinition {
  name: string;
  description: string;
  inputSchema: JSONSchema7;
  /** Whether the server declares that it changes nothing. */
  readOnly: boolean;
}

export interface McpResource {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Set if `uri` is a template with placeholders `{like}` this. */
  template?: true;
}

/** The usable tools of a server. */
export interface McpToolList {
  tools: McpDefinition[];
  /** Sentences about the tools that are left out. */
  left?: string;
}

export interface McpPrompt {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** The result of a call or of reading a resource: text for the model, whatever the server sent. */
export interface McpAnswer {
  ok: boolean;
  text: string;
}

/** `data` is base64. */
export interface McpPicture {
  mediaType: string;
  data: string;
}

/** A prompt as its server filled it in. */
export interface McpPromptAnswer extends McpAnswer {
  pictures: McpPicture[];
}

/** The methods of a connected server. They reject with `McpError` only. */
export interface McpConnection {
  /** The server's name and version of itself, on one line. */
  readonly title: string;
  /** Requested again each time. */
  tools(): Promise<McpToolList>;
  resources(): Promise<McpResource[]>;
  prompts(): Promise<McpPrompt[]>;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpAnswer>;
  /** Whether it suggests completions for arguments. */
  readonly completes: boolean;
  /** Suggests values for a prompt's argument, the best first. @param values values of the other arguments */
  complete(
    prompt: string,
    argument: { name: string; value: string },
    values: Record<string, string>,
  ): Promise<string[]>;
  getPrompt(name: string, values: Record<string, string>): Promise<McpPromptAnswer>;
  close(): Promise<void>;
}

/** A tool of a connected server, as given to a run. A run's list of tools does not change. */
export interface McpTool {
  /** Name of the server in the person's settings. */
  server: string;
  /** The definition for the model. For a tool that changed since it was allowed, the allowed one. */
  definition: McpDefinition;
  /**
   * Called for each call: whether it is allowed as currently described, and the message if it is
   * not.
   */
  standing(): McpStanding;
  call(input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
}

export interface McpStanding {
  allowed: boolean;
  /** The current server, name, description and arguments. */
  digest: string;
  /** The reason for asking the person, as text for them. */
  why: string;
}

export type McpErrorCode =
  /** The server did not answer in time. */
  | "timeout"
  /** The server's program has ended, or could not be started. */
  | "ended"
  /** The server's response is invalid. */
  | "malformed"
  | "too-large"
  /** The server sent more messages than can be read. */
  | "flood"
  /** The server requires a sign-in. */
  | "unauthorized"
  /** The server requires a key, and offers no sign-in. */
  | "refused"
  /** Nothing answers at the server's address. */
  | "unreachable"
  /** The server's address redirects to another one. */
  | "redirect"
  /** The server answered with an error status. */
  | "http"
  | "aborted"
  | "failed";

/** Facts about a failure beyond its sentence. */
export interface McpErrorFacts {
  /** How the server's program ended. */
  exit?: number;
  signal?: string;
  /** The HTTP status, and the first line of the body. */
  status?: number;
  body?: string;
  /** The network's error code, such as `ECONNREFUSED`. */
  network?: string;
}

/** A failure of a tool server. */
export class McpError extends Error {
  readonly code: McpErrorCode;
  readonly facts: McpErrorFacts;
  readonly sentence: Sentence;
  constructor(code: McpErrorCode, detail: Sentence, facts: McpErrorFacts = {}) {
    super(detail.text);
    this.name = "McpError";
    this.code = code;
    this.facts = facts;
    this.sentence = detail;
  }
}
