import { McpError, type McpErrorFacts, type McpServerConfig } from "@treadle/agent";
import type { McpProblem } from "@treadle/protocol";
import { ApiFailure } from "../api-failure.ts";
import { whereOf } from "./kept-values.ts";
import type { RunsWhere } from "./runs-where.ts";

type Program = McpServerConfig & { type: "stdio" };
type Address = Exclude<McpServerConfig, Program>;
type Why = Omit<McpProblem, "tried" | "said">;

/** Of what a program printed: lines, and characters of each. */
const LINES = 6;
const LINE = 300;
const WHERE = 300;

/**
 * Why a server does not answer, what was tried and what to do about it.
 * @param printed what it printed since it was started; may be anything
 */
export function problemOf(
  config: McpServerConfig,
  where: RunsWhere,
  error: unknown,
  printed: string,
): McpProblem {
  if (config.type !== "stdio") {
    const tried = `Called ${whereOf(config)} (${config.type === "sse" ? "SSE" : "streamable HTTP"}).`;
    const known = asKnown(error);
    const { body } = known.facts;
    return { ...ofAddress(config, known), tried, ...(body === undefined ? {} : { said: body }) };
  }
  const tried = `Started “${clip(whereOf(config), WHERE)}” ${
    where === "machine" ? "on this machine" : "inside the project’s sandbox"
  }.`;
  if (error instanceof ApiFailure && error.code === "no-project")
    return {
      code: "no-project",
      message: error.message,
      tried: "It was not started.",
      next: "Start it in the settings of a project, or let a turn begin.",
    };
  const said = npmWord(printed) === undefined ? lastLines(printed) : npmLines(printed);
  return {
    ...ofProgram(config, where, asKnown(error), printed),
    tried,
    ...(said === "" ? {} : { said }),
  };
}

function ofProgram(config: Program, where: RunsWhere, error: McpError, printed: string): Why {
  const { exit, signal } = error.facts;
  if (exit === 127) return missing(config, where);
  if (exit === 126)
    return {
      code: "missing-program",
      message: `“${clip(config.command, 100)}” is no program that can be started.`,
      next: "Check the command: a script is started with what runs it, as in “node server.js”.",
    };
  if (exit !== undefined || signal !== undefined) {
    const npm = npmWord(printed);
    if (npm === "E404" || npm === "ETARGET")
      return {
        code: "no-package",
        message: `The registry has no such package (${npm}).`,
        next: "Check the package’s name and version, then try again.",
      };
    if (npm !== undefined) {
      const host = hostIn(printed, where);
      return {
        code: "no-network",
        message: `Its package was not fetched: ${host ?? "the package registry"} was not reached (${npm}).`,
        next:
          where === "sandbox"
            ? "The sandbox reaches the package registry and the hosts that the project’s settings name. Check that this machine reaches the registry, then try again."
            : "Check that this machine reaches it, then try again.",
        ...(host === undefined ? {} : { host }),
      };
    }
    return {
      code: "exited",
      message: error.message,
      next:
        exit === 0
          ? "A tool server goes on running and speaks over stdin and stdout: check that the command starts one."
          : "Its last lines may say why. Change its command or its values with Edit, then try again.",
    };
  }
  if (error.code === "timeout")
    return {
      code: "timeout",
      message: error.message,
      next: "What npx starts is fetched first, which can take longer than that: try again. If it stays so, check that the command starts a server that speaks over stdin and stdout.",
    };
  if (error.code === "malformed")
    return {
      code: "not-mcp",
      message: "What was started is no tool server: it sent what is no answer.",
      next: "Check that the command starts a server that speaks MCP over stdin and stdout.",
    };
  return other(error);
}

const missing = ({ command }: Program, where: RunsWhere): Why => ({
  code: "missing-program",
  message: `There is no program “${clip(command, 100)}” ${where === "machine" ? "on this machine" : "inside the sandbox"}.`,
  next:
    where === "machine"
      ? "Install it on this machine, or write its whole path."
      : "It is looked for inside the sandbox, which has Node, npm and npx, and not all that is installed on this machine. Use a command that npx can fetch, or one that is there. A server of all projects can also be trusted: it then runs on this machine itself.",
});

function ofAddress({ url, type }: Address, error: McpError): Why {
  const { host, hostname } = new URL(url);
  const { network, status } = error.facts;
  switch (error.code) {
    case "unreachable":
      return { code: "unreachable", host, ...unreached(host, hostname, network ?? "") };
    case "redirect":
      return {
        code: "redirect",
        message: error.message,
        next: "Nothing was sent there. Set it up with the address that it leads to, if you trust that one.",
      };
    case "unauthorized":
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
            ? "It knows who asks and refuses. Check its key with Edit."
            : (status ?? 0) >= 500
              ? "It failed by itself. Try again later."
              : `Check the address: many end in /mcp${type === "http" ? ", older servers want “type”: “sse”" : ""}.`,
      };
    case "timeout":
      return {
        code: "timeout",
        message: error.message,
        next: "Try again; if it stays so, check the address.",
      };
    case "malformed":
      return {
        code: "not-mcp",
        message: `What answers there is no tool server. ${error.message}`,
        next: `Check the address: many end in /mcp${type === "http" ? ", older servers want “type”: “sse”" : ""}.`,
      };
    default:
      return other(error);
  }
}

function unreached(host: string, hostname: string, word: string): Pick<Why, "message" | "next"> {
  if (/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/.test(word))
    return {
      message: `No host of the name ${hostname} was found (${word}).`,
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

const other = (error: McpError): Why => ({
  code: error.code === "flood" || error.code === "too-large" ? "too-much" : "failed",
  message: error.message,
  next:
    error.code === "flood" || error.code === "too-large"
      ? "It was ended so that all else goes on. Restart it, or switch it off."
      : "Try again; its log may say more.",
});

const asKnown = (error: unknown): McpError =>
  error instanceof McpError
    ? error
    : new McpError("failed", error instanceof Error ? error.message : String(error), factless);
const factless: McpErrorFacts = {};

/** What npm calls a failure of its own, of the network or of the registry. */
const npmWord = (printed: string) =>
  /^npm (?:error|ERR!) code (E404|ETARGET|ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|E?SOCKET\w*|ERR_SOCKET\w*|ENET[A-Z]+|EHOST[A-Z]+|E40[13]|E50\d|FETCH_ERROR)\b/m.exec(
    printed,
  )?.[1];

/** The host that npm names. Inside the sandbox the registry is a door of ours, which says what it did not reach. */
function hostIn(printed: string, where: RunsWhere): string | undefined {
  const behind = /cannot be reached: .*?\bE[A-Z_]+ ([^\s"]+)/.exec(printed)?.[1];
  if (behind !== undefined) return behind;
  const host = /^npm (?:error|ERR!).*?https?:\/\/([^\s/"'?#]+)/m.exec(printed)?.[1];
  return where === "sandbox" && host?.startsWith("127.0.0.1") ? undefined : host;
}

/** What npm says of a failure stands first; then it says where more is, and that one may ask. */
function npmLines(printed: string): string {
  const lines = printed
    .split(/\r?\n/)
    .filter(
      (line) => /^npm (?:error|ERR!)\s+\S+ \S/.test(line) && !line.includes("A complete log"),
    );
  return lines
    .slice(0, LINES / 2)
    .map((line) => clip(line, LINE))
    .join("\n");
}

const lastLines = (printed: string): string =>
  printed
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(-LINES)
    .map((line) => clip(line, LINE))
    .join("\n");

const clip = (text: string, limit: number) =>
  text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
