import type { Value } from "../types.ts";

/** Written by `catalogues/write-values.ts` of the page from its English catalogue. */
export const ELSEWHERE = {
  "before-unchanged": () => "What was there before is unchanged; send it again.",
  "before-unchanged-fix": () =>
    "What was there before is unchanged; send it again once that is fixed.",
  "arrival-unknown": () =>
    "It is not known whether the release has arrived: look there, or send it again.",
  "host-odd": ({ name }: { name: Value }) =>
    `${name} does not answer as its documentation says. Is the address right?`,
  "host-redirects": ({ name }: { name: Value }) =>
    `${name} redirects to another address. Is the address right?`,
  "host-forbids": ({ name, next, why }: { name: Value; next: Value; why: Value }) =>
    `${name} knows the token, but does not allow it this: ${why} ${next}`,
  "host-finds-nothing": ({ name, next, why }: { name: Value; next: Value; why: Value }) =>
    `${name} does not find what was named: ${why} ${next}`,
  "host-rejected": ({ name, next, why }: { name: Value; next: Value; why: Value }) =>
    `${name} rejected it: ${why} ${next}`,
  "host-busy": ({ minutes, name, next }: { minutes: number; name: Value; next: Value }) =>
    `${name} allows no more requests for ${minutes.toLocaleString("en")} min. ${next}`,
  "host-cut": ({ name, next, why }: { name: Value; next: Value; why: Value }) =>
    `The exchange with ${name} broke off: ${why}. ${next}`,
  "host-late": ({ minutes, name }: { minutes: number; name: Value }) =>
    `${name} has not finished it within ${minutes.toLocaleString("en")} minutes. Look there to see what it does.`,
  "host-asks-to-wait": ({ name, seconds }: { name: Value; seconds: number }) =>
    `${name} asks us to wait ${seconds.toLocaleString("en")} s`,
  "token-refused": ({ name }: { name: Value }) =>
    `${name} does not accept the token. Make a new one there and type it again; what was there before is unchanged.`,
  "token-expired": ({ name, next }: { name: Value; next: Value }) =>
    `${name} no longer accepts the token. Make a new one there and type it again. ${next}`,
  "token-missing": ({ name }: { name: Value }) =>
    `${name} needs a token that may publish there. Type one; it is kept on the server.`,
  "site-unknown": ({ name, site }: { name: Value; site: Value }) =>
    `${name} has no site ${site} that this token may change. Leave it out to have one made.`,
  "place-invalid": ({ kind, text }: { kind: Value; text: Value }) =>
    `“${text}” is not ${kind === "github" ? "a repository on GitHub. One looks like owner/name." : kind === "server" ? "the address of a server. One looks like https://apps.example.com." : kind === "folder" ? "a folder on a server. One looks like user@example.com:/var/www/site, complete and without spaces." : kind === "image" ? "the name of an image. One looks like ghcr.io/ada/shop, without a tag." : "valid there."}`,
  "place-control-characters": ({ name }: { name: Value }) =>
    `A field for ${name} contains control characters.`,
  "place-missing": ({ field, name }: { field: Value; name: Value }) =>
    `${name} needs ${field}. Nothing was sent.`,
  "place-none": ({ field, name }: { field: Value; name: Value }) =>
    `${name} has no ${field} yet: make one there.`,
  "place-several": ({ field, known, name }: { field: Value; known: Value; name: Value }) =>
    `${name} has several: say which ${field} is meant. There are ${known}.`,
  "branch-taken": ({ branch }: { branch: Value }) =>
    `The branch ${branch} holds what others put there, and was left alone. Name a new branch.`,
  "folder-taken": ({ host, path }: { host: Value; path: Value }) =>
    `${path} on ${host} holds what others put there, and was left alone. Name an empty or new folder.`,
  "pages-taken": ({ branch, source }: { branch: Value; source: Value }) =>
    `The pages of this repository now come from ${source}. Choose ${branch} in its settings, or name another repository.`,
  "base-path": ({
    address,
    asked,
    file,
    host,
  }: {
    address: Value;
    asked: Value;
    file: Value;
    host: Value;
  }) =>
    `It would be served at ${address}, and ${file} asks for ${asked} at the root of the host. Have it built with relative addresses (with Vite: base: "." in its configuration) and publish it again, or name a repository called ${host}.`,
  "no-container": () =>
    "It cannot be put into a container: there is no start, build or dev script and no index.html.",
  "carries-sites": ({ name }: { name: Value }) =>
    `${name} takes only sites, and this app has its own server. Coolify, Dokploy and a container registry take it.`,
  "carries-apps": ({ name }: { name: Value }) => `${name} does not take sites.`,
  sending: ({ name }: { name: Value }) => `A release is already on its way to ${name}.`,
  "no-subdomain": () =>
    "The account has no workers.dev subdomain yet. Choose one in Cloudflare's dashboard, under Workers, and send it again.",
  "sent-file-too-large": ({ megabytes, path }: { megabytes: number; path: Value }) =>
    `${path} is larger than ${megabytes.toLocaleString("en")} MB, the limit.`,
  "sent-file-name": () =>
    "A file of the site has a line break in its name, which a branch cannot hold.",
  "program-late": ({ minutes, program }: { minutes: number; program: Value }) =>
    `${program} did not end within ${minutes.toLocaleString("en")} minutes, and was ended.`,
  "program-missing": ({ host, program }: { host: Value; program: Value }) =>
    `There is no ${program} on ${host === "here" ? "this machine" : `${host}`}. Install it there and send it again.`,
  "docker-silent": () =>
    "The Docker engine on this machine does not answer, so no image can be built. Start it and send it again.",
  "image-not-built": ({ why }: { why: Value }) => `Docker built no image: ${why}`,
  "image-not-pushed": ({ tag, why }: { tag: Value; why: Value }) =>
    `Docker did not push ${tag}: ${why}`,
  "release-files-gone": ({ number }: { number: Value }) =>
    `The files of release ${number} no longer exist. Publish it again.`,
  "app-host-refused": ({ host }: { host: Value }) => `An app cannot be sent to ${host}.`,
  "cut-off-sending": () => "Treadle was stopped meanwhile. Send it again.",
  "sending-reading": () => "Its files are read",
  "sending-files": ({ sent, total }: { sent: number; total: number }) =>
    `${sent.toLocaleString("en")} of ${total.toLocaleString("en")} files are sent`,
  "sending-percent": ({ percent }: { percent: Value }) => `${percent}% of its files are sent`,
  "sending-announcing": ({ name }: { name: Value }) => `${name} is told about the release`,
  "sending-asking": ({ name }: { name: Value }) => `${name} is asked what is there`,
  "sending-finishing": ({ name }: { name: Value }) => `${name} makes it ready`,
  "sending-pushing": ({ what }: { what: Value }) => `${what} is pushed`,
  "sending-building": () => "The image is built",
  "sending-building-step": ({ step }: { step: Value }) => `The image is built: ${step}`,
};
