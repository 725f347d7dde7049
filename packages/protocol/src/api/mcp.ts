import type { CodedText } from "../sentences/index.ts";
/** Tool servers (Model Context Protocol) as shown on the page, without keys and values of headers. */

/** `idle`: started when a turn needs it. `sign-in`: the person has to sign in at the server first. */
export type McpState = "off" | "idle" | "connecting" | "connected" | "failed" | "sign-in";

/** A tool of a server. */
export interface McpToolInfo {
  name: string;
  description: string;
  /** Its input schema in JSON, as the model receives it. */
  input: string;
  /** Whether it may be called without asking, with its current description. */
  allowed: boolean;
  /** What changed since it was allowed. */
  changed?: string;
  /** Estimated tokens that it adds to every request. */
  tokens: number;
}

/** A resource of a server, which a person mentions as `@server:uri`. */
export interface McpResourceInfo {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Set if `uri` is a template with placeholders, `{like}` this. */
  template?: true;
}

/** A prompt of a server, which a person inserts with `/server:name`. */
export interface McpPromptInfo {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** A prompt with its arguments filled in by its server. */
export interface McpPromptText {
  ok: boolean;
  /** Its text, limited in length, with invisible characters made visible; content other than text is only named. */
  text: string;
  /** The same as the text of a message: quoted as material of that server, in which mentions have no effect. */
  message: string;
  /** Its pictures; `data` is base64. */
  pictures: { mediaType: string; data: string }[];
}

/** Prompts and resources that a person can add to a message, of all enabled servers. */
export interface McpOffers {
  servers: {
    name: string;
    state: McpState;
    /** Whether it suggests completions for a prompt's arguments. */
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
  /** The end of its output, or the first line of its response. */
  said?: string;
  /** The host that was not reached. */
  host?: string;
}

/** The kinds of problems. */
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

/** A server, its state, and its tools, resources and prompts. */
export interface McpServerInfo {
  name: string;
  /** Whether it is configured for all projects or only for this one. */
  scope: "global" | "project";
  /** The configuration as people write it, with `(kept)` in place of each value of `env` and `headers`. */
  config: string;
  /** Its command or address, on one line. */
  where: string;
  enabled: boolean;
  /** Whether it runs on this machine itself, outside any sandbox. */
  trusted: boolean;
  /** Whether it is a program, which can be trusted; otherwise it is an address. */
  program: boolean;
  state: McpState;
  /** Why it failed. */
  problem?: McpProblem;
  /** Name and version that the server reports about itself. */
  title?: string;
  tools: McpToolInfo[];
  /** Tools, or parts of them, that were left out, in sentences. */
  left?: string;
  /** Differences between its tools and those given to the active turn, as sentences. A turn keeps its tools. */
  later?: string;
  resources: McpResourceInfo[];
  prompts: McpPromptInfo[];
  /** The end of what it wrote to its error output. */
  log: string;
}

/** A server that a file of the project proposes. It is not started before the person accepts it. */
export interface McpProposal {
  /** The file that proposes it. */
  path: string;
  name: string;
  where: string;
  /** The complete configuration including its values, which are in the project's own file anyway. */
  config: string;
  /** SHA-256 of the path and the configuration; the person accepts exactly this. */
  digest: string;
}

/** The servers that are configured for a project, and those that its files propose. */
export interface McpOverview {
  servers: McpServerInfo[];
  proposals: McpProposal[];
}
