/** Commands that talk to a server that runs already. */
import { commandShape, noWords } from "../command-shape.ts";
import { DATA } from "../shared-options.ts";

const OF_ONE = "PROJECT is its id or its name, or a beginning of either that only one has.";

export const projects = commandShape({
  name: "projects",
  summary: "the projects of the server that runs, with their verdicts",
  options: { json: { kind: "flag", help: "one project a line" }, ...DATA },
  read: ({ json = false, data }, words) => noWords("projects", words) ?? { json, data },
});

export const logs = commandShape({
  name: "logs",
  words: "PROJECT",
  summary: "what happened in a project, and with --follow what happens",
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
  summary: "keeps a folder of yours and a project in step, both ways, until Ctrl-C",
  help: `${OF_ONE} What either side changes comes to the other; where both changed a file, the project's text stays and yours is kept beside it, as FILE.conflict-…, on both sides. Left out: dependencies, build output, .git, .env files, databases, links, files over 100 MB. “treadle serve --open DIR” works in the folder itself instead.`,
  completes: "folders",
  options: {
    once: { kind: "flag", help: "bring both in step, and end" },
    "leave-out": {
      kind: "texts",
      value: "GLOB",
      help: "files that stay where they are; may be given several times",
    },
    "remove-many": {
      kind: "flag",
      help: "do not ask where more than 20 files, or all, would be removed from one side",
    },
    json: { kind: "flag", help: "one thing that was done a line" },
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
  summary: "the page of the server that runs, in your browser",
  help: OF_ONE,
  options: DATA,
  read({ data }, [project, more]) {
    if (more !== undefined) return { wrong: "“open” takes one project, or none." };
    return { project, data };
  },
});

/** A port of an app's own, as it is typed. */
function toPort(said: string | undefined): number | "free" | "none" | "wrong" | undefined {
  if (said === undefined || said === "free" || said === "none") return said;
  return /^\d{1,5}$/.test(said) ? Number(said) : "wrong";
}

export const publish = commandShape({
  name: "publish",
  words: "PROJECT",
  summary: "what was verified, built and answered with under an address of its own",
  help: `${OF_ONE} Ends with 0 once it is published, and with 1 where it could not be made ready or is held for what was found in it.`,
  options: {
    name: { kind: "text", value: "NAME", help: "first part of its address" },
    domain: {
      kind: "texts",
      value: "DOMAIN",
      help: "only says that it is answered with there too; all of them, or “none”",
    },
    port: {
      kind: "text",
      value: "PORT",
      help: "only says that it has a port of its own, beside its name: a number, “free” or “none”",
    },
    back: { kind: "count", value: "RELEASE", help: "goes back to a release, by its number" },
    anyway: { kind: "flag", help: "publishes it whatever is found in it, in your name" },
    to: {
      kind: "text",
      of: [
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
      help: "sends it to another host as well; list: what each wants, and what became of the last",
    },
    set: {
      kind: "texts",
      value: "WHAT=TEXT",
      help: "with --to: what that host is told, such as account=…; kept",
    },
    "token-file": {
      kind: "text",
      value: "FILE",
      help: "with --to: holds the token of that host, which the server keeps; - is standard input",
    },
    release: { kind: "count", value: "RELEASE", help: "with --to: one that was made before" },
    local: { kind: "flag", help: "with --to: that host may be of this machine or its network" },
    json: { kind: "flag", help: "what became of it, as one line" },
    ...DATA,
  },
  read({ name, domain, back, anyway = false, json = false, data, to, ...said }, [project, more]) {
    if (!project || more !== undefined)
      return { wrong: "“publish” takes one project; “treadle projects” lists them." };
    const domains = domain?.filter((one) => one !== "none");
    const { set = [], "token-file": tokenFile, release, local = false } = said;
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
    const port = toPort(said.port);
    if (port === "wrong")
      return { wrong: `--port is a number, “free” or “none”, and not “${said.port}”.` };
    const elsewhere = to === undefined ? undefined : { to, place, tokenFile, release, local };
    return { project, name, domains, port, back, anyway, elsewhere, json, data };
  },
});

export const share = commandShape({
  name: "share",
  words: "PROJECT",
  summary: "a link to the app or the conversation, for somebody without an account",
  help: `${OF_ONE} Prints the link. Without a choice it shows the running preview.`,
  options: {
    preview: { kind: "flag", help: "the app as it runs here" },
    published: { kind: "flag", help: "what is published" },
    release: { kind: "count", value: "RELEASE", help: "a release, by its number" },
    conversation: { kind: "flag", help: "what was said and done, to read" },
    expires: { kind: "text", value: "TIME", help: "12h, 7d (default), 30d or never" },
    password: { kind: "flag", help: "asks you for a password, or reads it from standard input" },
    costs: { kind: "flag", help: "of a conversation: tells what the turns cost" },
    source: { kind: "flag", help: "of a conversation: lets the source be taken as a ZIP" },
    list: { kind: "flag", help: "only lists the links that there are" },
    revoke: { kind: "text", value: "LINK", help: "takes a link back; it, or its id" },
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
        wrong: `“${expires}” is no time. Give hours or days, such as 12h or 7d, or “never”.`,
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

/** Days; 0: without end; undefined where it is no time. */
function readDays(text: string): number | undefined {
  if (text === "never") return 0;
  const match = /^([1-9]\d{0,3})([hd])$/.exec(text);
  if (!match) return undefined;
  return match[2] === "h" ? Number(match[1]) / 24 : Number(match[1]);
}

export const caddyfile = commandShape({
  name: "caddyfile",
  summary: "a file for Caddy, which answers for your domains with what is published",
  options: DATA,
  read: ({ data }, words) => noWords("caddyfile", words) ?? { data },
});
