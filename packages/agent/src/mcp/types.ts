/** Tool servers of others (Model Context Protocol): how they are set up, and what they offer. */
import type { Sentence } from "@treadle/protocol/sentences";
import type { JSONSchema7 } from "@ai-sdk/provider";

/** One server as people write it down, in the shape that other programs have as well. */
export type McpServerConfig =
  | { type: "stdio"; command: string; args: string[]; env: Record<string, string> }
  | { type: "http" | "sse"; url: string; headers: Record<string, string> };

/** A tool as its server describes it. */
export interface McpDefinition {
  name: string;
  description: string;
  inputSchema: JSONSchema7;
  /** The server says that it changes nothing. */
  readOnly: boolean;
}

export interface McpResource {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Its address has places to fill in, `{like}` this. */
  template?: true;
}

/** Tools of a server, and what is left out of them. */
export interface McpToolList {
  tools: McpDefinition[];
  /** Sentences. */
  left?: string;
}

export interface McpPrompt {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** What came of a call, or of reading something: text for the model, whatever the server sent. */
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

/** What a server that answers offers. Everything rejects with `McpError` and nothing else. */
export interface McpConnection {
  /** Name and version that it gives itself, as one line. */
  readonly title: string;
  /** Requested again each time. */
  tools(): Promise<McpToolList>;
  resources(): Promise<McpResource[]>;
  prompts(): Promise<McpPrompt[]>;
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<McpAnswer>;
  readResource(uri: string, signal?: AbortSignal): Promise<McpAnswer>;
  /** Whether it completes what is typed as an argument. */
  readonly completes: boolean;
  /** What a prompt's argument may be, the best first. @param values of its other arguments */
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
  /** What the model is shown. Of a tool that changed since it was allowed: what was allowed. */
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
  /** Why it is asked about, for the person. */
  why: string;
}

export type McpErrorCode =
  /** It did not answer in time. */
  | "timeout"
  /** It is not there any more, or could not be started. */
  | "ended"
  /** Its response is invalid. */
  | "malformed"
  | "too-large"
  /** It sent more messages than can be read. */
  | "flood"
  /** It wants the person to sign in. */
  | "unauthorized"
  /** It wants a key, and nobody can sign in there. */
  | "refused"
  /** Nothing answers at its address. */
  | "unreachable"
  /** Its address leads to another one. */
  | "redirect"
  /** It answered with an error status. */
  | "http"
  | "aborted"
  | "failed";

/** What is known of a failure beyond its sentence. */
export interface McpErrorFacts {
  /** How its program ended. */
  exit?: number;
  signal?: string;
  /** The HTTP status, and the first line of the body. */
  status?: number;
  body?: string;
  /** The network's word for it: `ECONNREFUSED`. */
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
