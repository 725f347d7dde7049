import { sentence } from "@treadle/protocol/sentences";
import type { McpError, McpServerConfig } from "@treadle/agent";
import { otherProblem, type Why } from "./other-problem.ts";

type Address = Exclude<McpServerConfig, { type: "stdio" }>;

/** The reason why an address cannot be called. */
export function addressProblem({ url, type }: Address, error: McpError): Why {
  const { host } = new URL(url);
  const { network, status } = error.facts;
  switch (error.code) {
    case "unreachable":
      return { code: "unreachable", host, ...unreached(new URL(url), network ?? "") };
    case "redirect":
      return {
        code: "redirect",
        message: error.sentence,
        next: sentence("mcp-do-follow"),
      };
    case "unauthorized":
    case "refused":
      return {
        code: "refused",
        message: error.sentence,
        next: sentence("mcp-do-key"),
      };
    case "http":
      return {
        code: "http",
        message: error.sentence,
        next:
          status === 403
            ? sentence("mcp-do-check-key")
            : (status ?? 0) >= 500
              ? sentence("mcp-do-later")
              : sentence("mcp-do-path", { kind: type }),
      };
    case "timeout":
      return {
        code: "timeout",
        message: error.sentence,
        next: sentence("mcp-do-again-address"),
      };
    case "malformed":
      return {
        code: "not-mcp",
        message: sentence("mcp-not-tool-server", { why: error.sentence }),
        next: sentence("mcp-do-path", { kind: type }),
      };
    default:
      return otherProblem(error);
  }
}

function unreached({ host, hostname, port }: URL, word: string): Pick<Why, "message" | "next"> {
  if (word === "EBADPORT")
    return {
      message: sentence("mcp-port-reserved", { port }),
      next: sentence("mcp-do-port"),
    };
  if (/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(word))
    return {
      message: sentence("mcp-host-unknown", { host: hostname, why: word }),
      next: sentence("mcp-do-name"),
    };
  if (/CERT|SSL|TLS|SIGNATURE/.test(word))
    return {
      message: sentence("mcp-certificate-refused", { host, why: word }),
      next: sentence("mcp-do-certificate"),
    };
  return {
    message:
      word === ""
        ? sentence("mcp-host-silent", { host })
        : sentence("mcp-host-silent-because", { host, why: word }),
    next: sentence("mcp-do-running"),
  };
}
