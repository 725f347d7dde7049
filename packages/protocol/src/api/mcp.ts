import type { CodedText } from "../sentences/index.ts";
/** Tool servers (Model Context Protocol), as the page shows them. No key and no header's value is in it. */

/** `idle`: it is started when a turn needs it. `sign-in`: it waits until the person has signed in there. */
export type McpState = "off" | "idle" | "connecting" | "connected" | "failed" | "sign-in";

/** A tool of a server. */
export interface McpToolInfo {
  name: string;
  description: string;
  /** Its input schema as the model reads it: JSON. */
  input: string;
  /** Whether it is called without asking, as it is described now. */
  allowed: boolean;
  /** What is another than when it was allowed. */
  changed?: string;
  /** Headers added to every request. */
  tokens: number;
}

/** Something that a server lets read: a person points at it with `@server:uri`. */
export interface McpResourceInfo {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Its address has places to fill in, `{like}` this. */
  template?: true;
}

/** A prompt of a server: a person takes it with `/server:name`. */
export interface McpPromptInfo {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** A prompt that its server filled in. */
export interface McpPromptText {
  ok: boolean;
  /** Its words, bounded, with what hides in them made visible; what is no text is named. */
  text: string;
  /** The same as a message says it: as material of that server, in which nothing is pointed at. */
  message: string;
  /** Base64. */
  pictures: { mediaType: string; data: string }[];
}

/** What a person can take into a message: of every server that is switched on. */
export interface McpOffers {
  servers: {
    name: string;
    state: McpState;
    /** It completes what is typed as an argument of a prompt. */
    completes: boolean;
    prompts: McpPromptInfo[];
    resources: McpResourceInfo[];
  }[];
}

/** Why a server does not answer, as sentences with their codes. */
export interface McpProblem {
  code: McpProblemCode;
  /** What happened. */
  message: string;
  messageCode?: CodedText | undefined;
  /** The failed action. */
  tried: string;
  triedCode?: CodedText | undefined;
  /** What to do about it. */
  next: string;
  nextCode?: CodedText | undefined;
  /** The end of its output, or the first line of its answer. */
  said?: string;
  /** The host that was not reached. */
  host?: string;
}

/** The kinds of reasons. */
export type McpProblemCode =
  | "missing-program"
  | "no-package"
  | "no-network"
  | "exited"
  | "timeout"
  | "not-mcp"
  | "too-much"
  | "unreachable"
  | "redirect"
  | "http"
  | "refused"
  | "no-project"
  | "failed";

/** A server, its state and what it offers. */
export interface McpServerInfo {
  name: string;
  /** Of all projects, or of this one. */
  scope: "global" | "project";
  /** The configuration as people write it, with `(kept)` in place of each value of `env` and `headers`. */
  config: string;
  /** What is started, or called: one line. */
  where: string;
  enabled: boolean;
  /** It runs on this machine itself, outside of any sandbox. */
  trusted: boolean;
  /** Whether it is a program, which can be trusted, or an address. */
  program: boolean;
  state: McpState;
  /** Why it failed. */
  problem?: McpProblem;
  /** Name and version that it gives itself. */
  title?: string;
  tools: McpToolInfo[];
  /** What is left out of its tools, in sentences. */
  left?: string;
  /** Differences between its tools and those given to the active turn, as sentences. A turn keeps its tools. */
  later?: string;
  resources: McpResourceInfo[];
  prompts: McpPromptInfo[];
  /** The end of its error output. */
  log: string;
}

/** A server that a file of the project asks for. It is not started before the person accepts it. */
export interface McpProposal {
  /** The file. */
  path: string;
  name: string;
  where: string;
  /** All of it, values included: they stand in the project's own file. */
  config: string;
  /** Of exactly this. */
  digest: string;
}

/** The servers that a project has, and those that it asks for. */
export interface McpOverview {
  servers: McpServerInfo[];
  proposals: McpProposal[];
}
