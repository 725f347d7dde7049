import type { McpError, McpServerConfig } from "@treadle/agent";
import { otherProblem, type Why } from "./other-problem.ts";

type Address = Exclude<McpServerConfig, { type: "stdio" }>;

/** Why an address is not called. */
export function addressProblem({ url, type }: Address, error: McpError): Why {
  const { host } = new URL(url);
  const { network, status } = error.facts;
  switch (error.code) {
    case "unreachable":
      return { code: "unreachable", host, ...unreached(new URL(url), network ?? "") };
    case "redirect":
      return {
        code: "redirect",
        message: error.message,
        next: "Nothing was sent there. If you trust the address that it leads to, set it up with that one.",
      };
    case "unauthorized":
    case "refused":
      return {
        code: "refused",
        message: error.message,
        next: "Put its key into “headers” with Edit, as “Authorization”, then try again.",
      };
    case "http":
      return {
        code: "http",
        message: error.message,
        next:
          status === 403
            ? "It knows who asks, but refuses. Check its key with Edit."
            : (status ?? 0) >= 500
              ? "It failed on its own side. Try again later."
              : `Check the address: many end in /mcp${type === "http" ? ", older servers want “type”: “sse”" : ""}.`,
      };
    case "timeout":
      return {
        code: "timeout",
        message: error.message,
        next: "Try again; if that does not help, check the address.",
      };
    case "malformed":
      return {
        code: "not-mcp",
        message: `What answers there is not a tool server. ${error.message}`,
        next: `Check the address: many end in /mcp${type === "http" ? ", older servers want “type”: “sse”" : ""}.`,
      };
    default:
      return otherProblem(error);
  }
}

function unreached({ host, hostname, port }: URL, word: string): Pick<Why, "message" | "next"> {
  if (word === "EBADPORT")
    return {
      message: `Port ${port} is kept for another service, so nothing was sent there.`,
      next: "Let the server listen at another port, and change its address with Edit.",
    };
  if (/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(word))
    return {
      message: `No host named ${hostname} was found (${word}).`,
      next: "Check the name, and that this machine has a network; then try again.",
    };
  if (/CERT|SSL|TLS|SIGNATURE/.test(word))
    return {
      message: `The certificate of ${host} was not accepted (${word}).`,
      next: "Nothing was sent. Check the address, and its certificate.",
    };
  return {
    message: `Nothing answers at ${host}${word === "" ? "" : ` (${word})`}.`,
    next: "Check that the server runs and the address is right, then try again.",
  };
}
