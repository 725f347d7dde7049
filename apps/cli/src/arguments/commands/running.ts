/** Commands that talk to a running server. */
import { SCOPES } from "@treadle/protocol/accounts";
import { commandShape, noWords } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

const OF_ONE = "PROJECT is its id or its name, or an unambiguous beginning of either.";

export const link = commandShape({
  name: "link",
  summary: "print an address that signs the owner of a server with accounts in, once",
  options: { ...DATA },
  read: ({ data }, words) => noWords("link", words) ?? { data },
});

/** The origin of a server's address; undefined if it is not one, or if a token would be sent to it unencrypted. */
function toOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback) ? url.origin : undefined; // prettier-ignore
}

export const login = commandShape({
  name: "login",
  words: "URL",
  summary: "sign in at another Treadle server; the other commands then use it",
  help: "It prints a code, which you enter in that server's page.",
  options: {
    scope: {
      kind: "texts",
      value: "SCOPE",
      help: "what it may do: read, write, publish, manage; may be given several times; default the first three",
    },
    days: { kind: "count", value: "N", help: "how long it stays signed in; default 30" },
    ...DATA,
  },
  read({ scope = [], days = 30, data }, [address, more]) {
    const origin = address === undefined ? undefined : toOrigin(address);
    if (origin === undefined || more !== undefined)
      return { wrong: "“login” takes the https address of a server." };
    const unknown = scope.find((one) => !SCOPES.some((known) => known === one));
    if (unknown !== undefined)
      return { wrong: `A scope is one of ${SCOPES.join(", ")}, not “${unknown}”.` };
    if (days < 1 || days > 365) return { wrong: "--days is 1 to 365." };
    const scopes = SCOPES.filter((one) => scope.includes(one) || (scope.length === 0 && one !== "manage")); // prettier-ignore
    return { origin, scopes, days, data };
  },
});

export const logout = commandShape({
  name: "logout",
  summary: "sign out at the server of “treadle login”",
  options: { ...DATA },
  read: ({ data }, words) => noWords("logout", words) ?? { data },
});

export const projects = commandShape({
  name: "projects",
  summary: "list the projects on the running server, with their verdicts",
  options: { json: { kind: "flag", help: "one project a line" }, ...DATA },
  read: ({ json = false, data }, words) => noWords("projects", words) ?? { json, data },
});

export const logs = commandShape({
  name: "logs",
  words: "PROJECT",
  summary: "show what happened in a project, and with --follow what happens",
  help: OF_ONE,
  options: {
    follow: { kind: "flag", short: "f", help: "go on until Ctrl-C" },
    app: { kind: "flag", help: "what its published app prints, instead" },
    json: { kind: "flag", help: "one log entry a line" },
    ...DATA,
  },
  read({ follow = false, app = false, json = false, data }, [project, more]) {
    if (!project || more !== undefined)
      return { wrong: "“logs” takes one project; “treadle projects” lists them." };
    if (app && json) return { wrong: "What an app prints has no entries: leave out --json." };
    return { project, follow, app, json, data };
  },
});

export const sync = commandShape({
  name: "sync",
  words: "PROJECT DIR",
  summary: "keep a folder of yours and a project in sync, both ways, until Ctrl-C",
  help: `${OF_ONE} What either side changes goes to the other. If both changed a file, both sides keep the project's text, with yours beside it as FILE.conflict-…. Left out: dependencies, build output, .git, .env files, databases, links, files over 100 MB. “treadle serve --open DIR” works in the folder itself instead.`,
  completes: "folders",
  options: {
    once: { kind: "flag", help: "sync both once, and end" },
    "leave-out": {
      kind: "texts",
      value: "GLOB",
      help: "files that stay where they are; may be given several times",
    },
    "remove-many": {
      kind: "flag",
      help: "do not ask if more than 20 files, or all, would be removed from one side",
    },
    json: { kind: "flag", help: "one action a line" },
    ...DATA,
  },
  read({ once = false, json = false, data, ...values }, [project, dir, more]) {
    if (!project || !dir || more !== undefined)
      return { wrong: "“sync” takes a project and a folder. Nothing was changed." };
    const leaveOut = values["leave-out"] ?? [];
    return { project, dir, once, leaveOut, removeMany: values["remove-many"] ?? false, json, data };
  },
});

export const open = commandShape({
  name: "open",
  words: "[PROJECT]",
  summary: "open the running server's page in your browser",
  help: OF_ONE,
  options: DATA,
  read({ data }, [project, more]) {
    if (more !== undefined) return { wrong: "“open” takes one project, or none." };
    return { project, data };
  },
});

/** Parses the port of an app. */
function toPort(value: string | undefined): number | "free" | "none" | "wrong" | undefined {
  if (value === undefined || value === "free" || value === "none") return value;
  return /^\d{1,5}$/.test(value) ? Number(value) : "wrong";
}

export const publish = commandShape({
  name: "publish",
  words: "PROJECT",
  summary: "build what was verified, and serve it at its own address",
  help: `${OF_ONE} Exit status: 0 published, 1 it could not be made ready, is held because of what was found in it, or was refused, 5 it waits for a second person.`,
  options: {
    name: { kind: "text", value: "NAME", help: "first part of its address" },
    domain: {
      kind: "texts",
      value: "DOMAIN",
      help: "only set the domains that it is served at too; name all of them, or “none”",
    },
    port: {
      kind: "text",
      value: "PORT",
      help: "only give it a port of its own, beside its name: a number, “free” or “none”",
    },
    back: { kind: "count", value: "RELEASE", help: "go back to a release, by its number" },
    anyway: { kind: "flag", help: "publish it whatever is found in it, in your name" },
    ask: {
      kind: "flag",
      help: "where the project's team requires it: ask a second person to approve it",
    },
    wait: { kind: "flag", help: "ask a second person, and wait for the answer" },
    "take-env": {
      kind: "flag",
      help: "first keep what the project's .env files set as secrets of the published app",
    },
    to: {
      kind: "text",
      choices: [
        "list",
        "netlify",
        "vercel",
        "cloudflare",
        "github-pages",
        "coolify",
        "dokploy",
        "rsync",
        "registry",
      ],
      help: "also send it to another host; list: what each needs, and what became of the last",
    },
    set: {
      kind: "texts",
      value: "WHAT=TEXT",
      help: "with --to: a setting for that host, such as account=…; kept",
    },
    "token-file": {
      kind: "text",
      value: "FILE",
      help: "with --to: holds the token of that host, which the server keeps; - is standard input",
    },
    release: { kind: "count", value: "RELEASE", help: "with --to: send an earlier release" },
    local: { kind: "flag", help: "with --to: that host may be on this machine or its network" },
    json: { kind: "flag", help: "print the result as one line" },
    ...DATA,
  },
  read(
    { name, domain, back, anyway = false, ask, wait, json = false, data, to, ...options },
    [project, more],
  ) {
    if (!project || more !== undefined)
      return { wrong: "“publish” takes one project; “treadle projects” lists them." };
    const domains = domain?.filter((one) => one !== "none");
    const { set = [], "token-file": tokenFile, release, local = false } = options;
    const takeEnv = options["take-env"] ?? false;
    if (
      to === undefined &&
      (set.length > 0 || tokenFile !== undefined || release !== undefined || local)
    )
      return {
        wrong: "--set, --token-file, --release and --local go with --to. Nothing was published.",
      };
    const odd = set.find((one) => !/^[a-z]+=/.test(one));
    if (odd !== undefined)
      return {
        wrong: `--set takes WHAT=TEXT, such as account=…, not “${odd}”. Nothing was published.`,
      };
    const place = Object.fromEntries(
      set.map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
    );
    const port = toPort(options.port);
    if (port === "wrong")
      return { wrong: `--port takes a number, “free” or “none”, not “${options.port}”.` };
    const elsewhere = to === undefined ? undefined : { to, place, tokenFile, release, local };
    const review = wait ? ("wait" as const) : ask ? ("ask" as const) : undefined;
    if (review && (elsewhere ?? domains ?? port ?? back) !== undefined)
      return { wrong: "--ask and --wait are for publishing the current files here." };
    return { project, name, domains, port, back, anyway, review, takeEnv, elsewhere, json, data };
  },
});

export const share = commandShape({
  name: "share",
  words: "PROJECT",
  summary: "make a link to the app or the conversation, for somebody without an account",
  help: `${OF_ONE} Prints the link. Without a choice it shows the running preview.`,
  options: {
    preview: { kind: "flag", help: "the app as it runs here" },
    published: { kind: "flag", help: "what is published" },
    release: { kind: "count", value: "RELEASE", help: "a release, by its number" },
    conversation: { kind: "flag", help: "what was said and done, to read" },
    expires: { kind: "text", value: "TIME", help: "12h, 7d (default), 30d or never" },
    password: { kind: "flag", help: "ask you for a password, or read it from standard input" },
    costs: { kind: "flag", help: "for a conversation: show what the turns cost" },
    source: { kind: "flag", help: "for a conversation: let people take the source as a ZIP" },
    list: { kind: "flag", help: "only list the links" },
    revoke: { kind: "text", value: "LINK", help: "revoke a link, given as the link or its id" },
    json: { kind: "flag", help: "as one line" },
    ...DATA,
  },
  read(values, [project, more]) {
    if (!project || more !== undefined)
      return { wrong: "“share” takes one project; “treadle projects” lists them." };
    const { preview, published, release, conversation, expires = "7d", revoke, data } = values;
    const kinds = [preview, published, release !== undefined, conversation].filter(Boolean);
    if (kinds.length > 1)
      return { wrong: "A link shows one thing: --preview, --published, --release or --conversation." }; // prettier-ignore
    const days = readDays(expires);
    if (days === undefined)
      return {
        wrong: `“${expires}” is not a time. Give hours or days, such as 12h or 7d, or “never”.`,
      };
    return {
      project,
      shows:
        published || release !== undefined
          ? ("release" as const)
          : conversation
            ? ("conversation" as const)
            : ("preview" as const),
      release,
      days: days === 0 ? undefined : days,
      password: values.password ?? false,
      costs: values.costs ?? false,
      source: values.source ?? false,
      list: values.list ?? false,
      revoke,
      json: values.json ?? false,
      data,
    };
  },
});

/** Parses a duration in days; 0: unlimited; undefined if invalid. */
function readDays(text: string): number | undefined {
  if (text === "never") return 0;
  const match = /^([1-9]\d{0,3})([hd])$/.exec(text);
  if (!match) return undefined;
  return match[2] === "h" ? Number(match[1]) / 24 : Number(match[1]);
}

export const caddyfile = commandShape({
  name: "caddyfile",
  summary: "print a configuration for Caddy, which serves what is published at your domains",
  options: DATA,
  read: ({ data }, words) => noWords("caddyfile", words) ?? { data },
});
