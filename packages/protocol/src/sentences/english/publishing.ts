import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const PUBLISHING = {
  "publish-working": () => "The project is being worked on. Nothing was published.",
  "publish-not-seen": () =>
    "Only files that were seen to work can be published. Have it checked first; nothing was published.",
  "publish-not-verified": ({ reason }: { reason: Value }) =>
    `Only files that were seen to work can be published, and ${reason}. Have it checked first; nothing was published.`,
  "publish-failed": ({ reason }: { reason: Value }) =>
    `Only files that were seen to work can be published, and ${reason}. Have it fixed first; nothing was published.`,
  "publish-changed": () =>
    "Only files that were seen to work can be published, and the files changed since they were looked at. Have it checked first; nothing was published.",
  "publish-going": () => "It is already being published.",
  "no-release": () =>
    "It has no release yet. Publish it on this machine first, where it is scanned.",
  "release-held": ({ number }: { number: Value }) =>
    `Release ${number} is held because of what was found in it. Fix that, or publish it all the same, before it goes out.`,
  "release-not-ready": ({ number }: { number: Value }) =>
    `Release ${number} is not ready to go out.`,
  "app-name-bad": () =>
    "A name has 2 to 24 lower-case letters, digits and single hyphens, begins with a letter, and has no other meaning here.",
  "app-name-taken": ({ name }: { name: Value }) => `Another project is published as “${name}”.`,
  "domain-bad": ({ text }: { text: Value }) =>
    `“${text}” is not a domain that people elsewhere could open. One looks like shop.example.com, without https:// and path.`,
  "domain-below": ({ domain }: { domain: Value }) =>
    `Below ${domain} each app has the name that it is published under.`,
  "domain-taken": ({ domain, name }: { domain: Value; name: Value }) =>
    `${domain} is the domain of another project, published as “${name}”.`,
  "host-bad": ({ text }: { text: Value }) =>
    `“${text}” cannot be allowed as a host. A host is a name such as api.example.com, or *.example.com for all below it.`,
  "hosts-too-many": ({ limit }: { limit: number }) =>
    `An app can have at most ${limit.toLocaleString("en")} hosts.`,
  "app-not-restarted": ({ why }: { why: Value }) => `It did not start again: ${why}`,
  "release-not-started": ({ why }: { why: Value }) =>
    `That release could not be started: ${why} What was published before stays.`,
  "job-running": () => "That job is already running.",
  "ports-taken": ({ first, last }: { first: Value; last: Value }) =>
    `All ports from ${first} to ${last} are taken. TREADLE_APPS_PORTS names more of them.`,
  "port-out": ({ first, last }: { first: Value; last: Value }) =>
    `Ports of published apps are ${first} to ${last}, as TREADLE_APPS_PORTS says.`,
  "port-taken": ({ port }: { port: Value }) => `Port ${port} is taken. Choose another one.`,
  "release-installing": () => "Its packages are installed",
  "release-building": () => "It is built",
  "release-migrating": () => "Its migrations are run",
  "release-scanning": () => "It is looked over",
  "release-copying": () => "Its files are copied",
  "release-starting": () => "It is started",
  "release-stopped": () => "It was stopped.",
  "release-cut-off": () => "Treadle was stopped meanwhile.",
  "release-silent": () => "It did not answer in time.",
  "release-answers": ({ status }: { status: Value }) => `It answers its first page with ${status}.`,
  "release-broke-off": () => "It broke off before it answered.",
  "release-failed-before": () => "It did not start a moment ago.",
  "release-ended": () => "It was stopped meanwhile.",
  "release-crashed": () => "It ended as soon as it was up.",
  "release-not-up": ({ command }: { command: Value }) => `${command} did not come up.`,
  "release-other-files": () => "Its files are not those that were verified.",
  "link-not-recorded": ({ why }: { why: Value }) =>
    `The link is closed, but that could not be recorded (${why}). Treadle would open it again when it is restarted: free some disk space, then revoke it once more.`,
  "share-not-published": () =>
    "The project is not published. Publish it first, or share its preview.",
  "share-release-gone": ({ number }: { number: Value }) =>
    `Release ${number} no longer exists. No link was made.`,
  "password-too-short": ({ limit }: { limit: number }) =>
    `A password needs at least ${limit.toLocaleString("en")} characters. No link was made.`,
  "port-refused": ({ why }: { why: Value }) =>
    `${why} TREADLE_APPS_HOST says where published apps with a port listen.`,
  "release-migration-failed": ({ why }: { why: Value }) => `A migration failed: ${why}`,
  "release-command-failed": ({ code, command }: { code: Value; command: Value }) =>
    `${command} ended with ${code}.`,
  "release-command-endless": ({ command }: { command: Value }) => `${command} did not end.`,
  "release-settings-unusable": ({ why }: { why: Value }) => `Its settings cannot be used: ${why}`,
  "release-jobs-without-server": () =>
    "treadle.json has jobs, but a site of files cannot run them: a start script is missing.",
  "release-data-failed": ({ step }: { step: Value }) =>
    `The data in PostgreSQL could not be ${step === "copied" ? "copied" : step === "remade" ? "made anew" : "looked up"}.`,
  "others-database": () =>
    "This app's PostgreSQL database belongs to another data folder of Treadle, of which this one is the original or a copy. `treadle doctor` says what to do.",
  "site-too-many-files": ({ limit }: { limit: number }) =>
    `The site has more than ${limit.toLocaleString("en")} files.`,
  "site-too-large": ({ megabytes }: { megabytes: number }) =>
    `The site has more than ${megabytes.toLocaleString("en")} MB.`,
  "site-name-malformed": ({ folder, name }: { folder: Value; name: Value }) =>
    `The site has a name that is not UTF-8: ${name} in ${folder}. Rename it, or have what writes it use UTF-8, and publish again.`,
  "manifest-unreadable": ({ why }: { why: Value }) => `${why}.`,
  "nothing-to-publish": () =>
    "There is neither an index.html nor a package.json, so there is nothing to publish.",
  "two-servers": () =>
    "Its “dev” script starts a server beside the development server, but a published app is started by one command. Have that server serve what “build” writes too, at the port in PORT, and give package.json a “start” script that starts it.",
  "sveltekit-output": () =>
    "SvelteKit wrote nothing that can be published: install @sveltejs/adapter-node, set it as the adapter in svelte.config.js, and give package.json “start”: “node build”. A site without a server takes @sveltejs/adapter-static.",
  "development-server-only": () =>
    "Only its development server can start it. What is published needs a “start” script in package.json that serves the app, or a “build” script that writes it as files.",
  "build-wrote-nothing": ({ folders }: { folders: Value }) =>
    `The build wrote no index.html into ${folders} or the like.`,
};
