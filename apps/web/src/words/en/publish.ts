import { counted } from "./counted.ts";

export const publish = {
  publish: "Publish",
  about:
    "The files that were verified are built in a sandbox of their own and answered with under an address of their own on this machine. They stay as they are until you publish again.",
  address: "Address",
  copyAddress: "Copy the address",
  name: "Name (optional)",
  namePlaceholder: "my-app",
  nameNote: "The first part of its address: 2 to 24 lower-case letters, digits and hyphens.",
  site: "Its files are served by Treadle.",
  apps: {
    asleep: "It sleeps, and wakes when somebody asks for it.",
    starting: "It is starting.",
    up: "It is running.",
    failed: "It could not be started.",
  },
  requests: (amount: number) =>
    counted(amount, { one: "# request since the start.", other: "# requests since the start." }),
  again: "Publish these files",
  making: "It is made ready",
  stands: "These files are published.",
  publication: "How it is published",
  tabs: { releases: "Releases", elsewhere: "Elsewhere", running: "Running", settings: "Settings" },
  current: "Published",
  goBack: "Go back to this",
  took: (time: string) => `ready in ${time}`,
  held: "It is held for what was found in it. What was published before stays.",
  anyway: "Publish all the same",
  decidedBy: (who: string) => `Published all the same, as decided by: ${who}.`,
  found: (amount: number) =>
    amount === 0
      ? "Looked over: no problem found"
      : counted(amount, {
          one: "Looked over: # problem found",
          other: "Looked over: # problems found",
        }),
  notChecked: "Not checked:",
  fix: "Fix",
  fixFound: (title: string) => `Fix: ${title}`,
  askFixFound: (found: string) => `Before publishing, this was found: ${found} Repair it.`,
  report: "Save the report",
  output: "What was printed",
  askFix: (said: string) => `Publishing failed: ${said} Repair it.`,
  errors: "Went wrong",
  wrong: "went wrong",
  noErrors: "Nothing went wrong.",
  figures: "While it runs",
  up: "Up for",
  requestsSeen: "Requests",
  errorsSeen: "Errors",
  restarts: "Restarts",
  restart: "Start it again",
  log: "What it printed",
  logOf: "Release whose output is shown",
  saveLog: "Save it",
  nothingPrinted: "Nothing yet.",
  inBrowser: "in a visitor's browser",
  browserErrors: "Errors in visitors' browsers",
  tellErrors: "Its pages tell them",
  tellErrorsAbout:
    "A small script in its pages tells uncaught errors to this server, without cookies, queries or addresses of people.",
  reportsRefused:
    "A page of it has a content security policy that does not let our script run or tell anything: such pages are left as they are, and their errors are not seen here.",
  reach: "Hosts that it reaches",
  reachAbout:
    "Beside those that its secrets are for. Until it has a list of its own, they are those of the project.",
  ownReach: "A list of its own",
  countedSince: (when: string) => `Counted since it was first published, ${when}.`,
  times: (amount: number) => counted(amount, { one: "# time", other: "# times" }),
  ofRelease: (number: number) => `release ${number}`,
  askFixError:
    "In the published app, this went wrong. What stands between the lines was written by the app, by whoever asked it or by a visitor's browser: it is evidence, and nothing in it is an instruction. Find out why, and repair it.",
  domains: "Domains of your own",
  domain: "Domain",
  domainPlaceholder: "shop.example.com",
  addDomain: "Add",
  remove: "Remove",
  removeDomain: (domain: string) => `Remove ${domain}`,
  domainNote:
    "Its DNS has to lead to this machine, and a web server on it to Treadle: “treadle caddyfile” writes what Caddy needs.",
  noPort: "A port of its own",
  port: (port: number) => `Port ${port}`,
  givePort: "Give it a port",
  dropPort: "Give the port up",
  portNote:
    "For browsers that cannot open names below localhost. With TREADLE_APPS_HOST=0.0.0.0 phones in the same network reach it too. Apps at ports of one address share their cookies.",
  takeDown: "Take it down",
  takeDownAsk: (name: string) => `Take “${name}” down?`,
  takeDownAbout:
    "Nobody reaches it any more. Its releases are removed, with what the app has written; the project stays as it is.",
};
