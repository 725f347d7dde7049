/** Tool servers (Model Context Protocol), as the page shows them. No key and no header's value is in it. */

/** `idle`: it is started when a turn needs it. `sign-in`: it waits until the person has signed in there. */
export type McpState = "off" | "idle" | "connecting" | "connected" | "failed" | "sign-in";

/** A tool of a server. */
export interface McpToolInfo {
  name: string;
  description: string;
  /** Whether it is called without asking, as it is described now. */
  allowed: boolean;
  /** What is another than when it was allowed. */
  changed?: string;
  /** What it adds to every request. */
  tokens: number;
}

/** A server, its state and what it offers. */
export interface McpServerInfo {
  name: string;
  /** Of all projects, or of this one. */
  scope: "global" | "project";
  /** As people write it down, with `(kept)` in the place of each value of `env` and `headers`. */
  config: string;
  /** What is started, or called: one line. */
  where: string;
  enabled: boolean;
  /** It runs on this machine itself, outside of any sandbox. */
  trusted: boolean;
  /** Whether it is a program, which can be trusted, or an address. */
  program: boolean;
  state: McpState;
  /** Why it failed, a sentence. */
  message?: string;
  /** Name and version that it gives itself. */
  title?: string;
  tools: McpToolInfo[];
  resources: { uri: string; name: string; description?: string; mimeType?: string }[];
  prompts: {
    name: string;
    description?: string;
    arguments: { name: string; description?: string; required: boolean }[];
  }[];
  /** The end of what it said of itself. */
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
