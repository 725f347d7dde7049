import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const TOOLS = {
  "server-without-sign-in": () => "This tool server needs no sign-in.",
  "sign-in-unknown": () => "This sign-in was not started here, or it has expired. Start again.",
  "server-in-projects": () =>
    "It runs inside each project's sandbox, and is started there when a turn begins.",
  "server-value-missing": ({ name, values }: { name: Value; values: Value }) =>
    `${name}: no value is stored for ${values} with this command or address. Type it again, or remove it.`,
  "server-not-trustable": () =>
    "Only a program that is set up for all projects can be trusted: it runs outside every sandbox.",
  "servers-invalid": ({ why }: { why: Value }) => `${why}`,
  "sign-in-failed": ({ why }: { why: Value }) => `Signing in did not work: ${why}`,
  "server-failed": ({ why }: { why: Value }) => `The tool server failed: ${why}`,
  "mcp-sign-in-needed": () => "The server needs you to sign in.",
  "mcp-unknown-request": () => "The server does not know what it was asked for.",
  "mcp-timeout": ({ time }: { time: Value }) => `The server did not answer in time (${time}).`,
  "mcp-redirect": () => "Its address leads to another one, which is not followed.",
  "mcp-ended": () => "The server ended.",
  "mcp-not-there": ({ why }: { why: Value }) => `The server is not there (${why}).`,
  "mcp-invalid-answer": ({ why }: { why: Value }) => `The server sent an invalid answer: ${why}`,
  "mcp-invalid-type": ({ type }: { type: Value }) => `The server sent an invalid answer: ${type}.`,
  "mcp-no-type": () => "The server sent an invalid answer: nothing that says its type.",
  "mcp-key-refused": () => "The server refused the key that it was sent, or wants one.",
  "mcp-http": ({ status }: { status: Value }) => `The server answered HTTP ${status}.`,
  "mcp-was-stopped": () => "It was stopped.",
  "mcp-message-too-large": ({ megabytes }: { megabytes: number }) =>
    `It sent a message of more than ${megabytes.toLocaleString("en")} MB and was ended.`,
  "mcp-message-values": ({ limit }: { limit: number }) =>
    `It sent a message of more than ${limit.toLocaleString("en")} values and was ended.`,
  "mcp-too-many-messages": ({ limit }: { limit: number }) =>
    `It sent more than ${limit.toLocaleString("en")} messages a second and was ended.`,
  "mcp-address-not-public": ({ address }: { address: Value }) =>
    `It names ${address}, which is not a public address: nothing was sent there.`,
  "mcp-program-exited": ({ exit }: { exit: Value }) => `The program ended with code ${exit}.`,
  "mcp-program-killed": ({ signal }: { signal: Value }) => `The program ended by ${signal}.`,
  "mcp-tool-gone": () =>
    "Nothing was called: its server no longer offers it. What it offers in its place comes with the next turn.",
  "mcp-tool-described-anew": () =>
    "Nothing was called: its server has just described it anew. Call it again where it is still needed; the person is asked first.",
  "mcp-port-reserved": ({ port }: { port: Value }) =>
    `Port ${port} is kept for another service, so nothing was sent there.`,
  "mcp-host-unknown": ({ host, why }: { host: Value; why: Value }) =>
    `No host named ${host} was found (${why}).`,
  "mcp-certificate-refused": ({ host, why }: { host: Value; why: Value }) =>
    `The certificate of ${host} was not accepted (${why}).`,
  "mcp-host-silent": ({ host }: { host: Value }) => `Nothing answers at ${host}.`,
  "mcp-host-silent-because": ({ host, why }: { host: Value; why: Value }) =>
    `Nothing answers at ${host} (${why}).`,
  "mcp-not-tool-server": ({ why }: { why: Value }) =>
    `What answers there is not a tool server. ${why}`,
  "mcp-program-not-tool-server": () =>
    "What was started is not a tool server: it sent an invalid answer.",
  "mcp-not-program": ({ command }: { command: Value }) =>
    `“${command}” is not a program that can be started.`,
  "mcp-no-package": ({ why }: { why: Value }) => `The registry has no such package (${why}).`,
  "mcp-package-not-fetched": ({ host, why }: { host: Value; why: Value }) =>
    `Its package was not fetched: ${host} was not reached (${why}).`,
  "package-registry": () => "the package registry",
  "mcp-program-missing": ({ command, where }: { command: Value; where: Value }) =>
    `There is no program “${command}” ${where === "machine" ? "on this machine" : "inside the sandbox"}.`,
  "mcp-called": ({ address, kind }: { address: Value; kind: Value }) =>
    `Called ${address} (${kind === "sse" ? "SSE" : "streamable HTTP"}).`,
  "mcp-started": ({ command, where }: { command: Value; where: Value }) =>
    `Started “${command}” ${where === "machine" ? "on this machine" : "inside the project’s sandbox"}.`,
  "mcp-not-started": () => "It was not started.",
  "mcp-do-start": () => "Start it in the settings of a project, or let a turn begin.",
  "mcp-do-follow": () =>
    "Nothing was sent there. If you trust the address that it leads to, set it up with that one.",
  "mcp-do-key": () => "Put its key into “headers” with Edit, as “Authorization”, then try again.",
  "mcp-do-check-key": () => "It knows who asks, but refuses. Check its key with Edit.",
  "mcp-do-later": () => "It failed on its own side. Try again later.",
  "mcp-do-path": ({ kind }: { kind: Value }) =>
    `Check the address: many end in /mcp${kind === "http" ? ", older servers want “type”: “sse”" : ""}.`,
  "mcp-do-again-address": () => "Try again; if that does not help, check the address.",
  "mcp-do-port": () => "Let the server listen at another port, and change its address with Edit.",
  "mcp-do-name": () => "Check the name, and that this machine has a network; then try again.",
  "mcp-do-certificate": () => "Nothing was sent. Check the address, and its certificate.",
  "mcp-do-running": () => "Check that the server runs and the address is right, then try again.",
  "mcp-do-script": () =>
    "Check the command: a script is started with what runs it, as in “node server.js”.",
  "mcp-do-package": () => "Check the package’s name and version, then try again.",
  "mcp-do-network": ({ where }: { where: Value }) =>
    `${where === "sandbox" ? "The sandbox reaches the package registry and the hosts that the project’s settings name. Check that this machine reaches the registry, then try again." : "Check that this machine reaches it, then try again."}`,
  "mcp-do-stdio": () =>
    "A tool server goes on running and speaks over stdin and stdout: check that the command starts one.",
  "mcp-do-last-lines": () =>
    "Its last lines may say why. Change its command or its values with Edit, then try again.",
  "mcp-do-slow-start": () =>
    "What npx starts is fetched first, which can take longer than that: try again. If that does not help, check that the command starts a server that speaks over stdin and stdout.",
  "mcp-do-speaks-mcp": () =>
    "Check that the command starts a server that speaks MCP over stdin and stdout.",
  "mcp-do-install": () => "Install it on this machine, or give its full path.",
  "mcp-do-inside": () =>
    "It is looked for inside the sandbox, which has Node, npm and npx, and not all that is installed on this machine. Use a command that npx can fetch, or one that is there. You can also trust a server of all projects: it then runs on this machine itself.",
  "mcp-do-restart": () =>
    "It was ended so that everything else can go on. Restart it, or switch it off.",
  "mcp-do-log": () => "Try again; its log may say more.",
  "mcp-needs-sign-in": () => "It needs you to sign in.",
  "mcp-still-starting": () => "It is still starting; its tools come with the next turn.",
  "mcp-too-many-tools": ({ limit, tool }: { limit: Value; tool: Value }) =>
    `A request offers ${limit} tools at most, so its tool ${tool} is left out. Switch off servers that are not needed.`,
};
