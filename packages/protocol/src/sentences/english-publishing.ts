/** Why something is not published, and what is done or went wrong while a release is made. */
export const PUBLISHING = {
  "publish-working": () => "The project is being worked on. Nothing was published.",
  "publish-not-seen": () =>
    "Only files that were seen to work can be published. Have it checked first; nothing was published.",
  "publish-not-verified": ({ reason }: { reason: string }) =>
    `Only files that were seen to work can be published, and ${reason}. Have it checked first; nothing was published.`,
  "publish-failed": ({ reason }: { reason: string }) =>
    `Only files that were seen to work can be published, and ${reason}. Have it fixed first; nothing was published.`,
  "publish-changed": () =>
    "Only files that were seen to work can be published, and the files changed since they were looked at. Have it checked first; nothing was published.",
  "publish-going": () => "It is already being published.",
  "no-release": () =>
    "It has no release yet. Publish it on this machine first, where it is scanned.",
  "release-held": ({ number }: { number: string }) =>
    `Release ${number} is held because of what was found in it. Fix that, or publish it all the same, before it goes out.`,
  "release-not-ready": ({ number }: { number: string }) =>
    `Release ${number} is not ready to go out.`,
  "app-name-bad": () =>
    "A name has 2 to 24 lower-case letters, digits and single hyphens, begins with a letter, and has no other meaning here.",
  "app-name-taken": ({ name }: { name: string }) => `Another project is published as “${name}”.`,
  "domain-bad": ({ text }: { text: string }) =>
    `“${text}” is not a domain that people elsewhere could open. One looks like shop.example.com, without https:// and path.`,
  "domain-below": ({ domain }: { domain: string }) =>
    `Below ${domain} each app has the name that it is published under.`,
  "domain-taken": ({ domain, name }: { domain: string; name: string }) =>
    `${domain} is the domain of another project, published as “${name}”.`,
  "host-bad": ({ text }: { text: string }) =>
    `“${text}” cannot be allowed as a host. A host is a name such as api.example.com, or *.example.com for all below it.`,
  "hosts-too-many": ({ limit }: { limit: number }) => `An app can have at most ${limit} hosts.`,
  "app-not-restarted": ({ why }: { why: string }) => `It did not start again: ${why}`,
  "release-not-started": ({ why }: { why: string }) =>
    `That release could not be started: ${why} What was published before stays.`,
  "job-running": () => "That job is already running.",
  "ports-taken": ({ first, last }: { first: string; last: string }) =>
    `All ports from ${first} to ${last} are taken. TREADLE_APPS_PORTS names more of them.`,
  "port-out": ({ first, last }: { first: string; last: string }) =>
    `Ports of published apps are ${first} to ${last}, as TREADLE_APPS_PORTS says.`,
  "port-taken": ({ port }: { port: string }) => `Port ${port} is taken. Choose another one.`,
  "release-installing": () => "Its packages are installed",
  "release-building": () => "It is built",
  "release-migrating": () => "Its migrations are run",
  "release-scanning": () => "It is looked over",
  "release-copying": () => "Its files are copied",
  "release-starting": () => "It is started",
  "release-stopped": () => "It was stopped.",
  "release-cut-off": () => "Treadle was stopped meanwhile.",
  "release-silent": () => "It did not answer in time.",
  "release-answers": ({ status }: { status: string }) =>
    `It answers its first page with ${status}.`,
  "release-broke-off": () => "It broke off before it answered.",
  "release-failed-before": () => "It did not start a moment ago.",
  "release-ended": () => "It was stopped meanwhile.",
  "release-crashed": () => "It ended as soon as it was up.",
  "release-not-up": ({ command }: { command: string }) => `${command} did not come up.`,
  "release-other-files": () => "Its files are not those that were verified.",
};
