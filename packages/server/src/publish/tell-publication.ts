import type { Publication } from "@treadle/protocol";
import type { KeptPublication } from "./kept-publication.ts";
import type { Live } from "./live-publications.ts";

/** A publication as its people are told of it, but for what it may reach and its jobs. */
export function tellPublication(
  { name, domains = [], current, isQuiet = false, releases }: KeptPublication,
  { answers, requests, isRefused, seen: { newest: errors, ...seen } }: Live,
  {
    appOrigin,
    appsDomain,
    port: own,
  }: { appOrigin: string; appsDomain: string | undefined; port: Publication["port"] },
): Omit<Publication, "reach" | "jobs"> {
  const answer = answers.current();
  const { protocol, port } = new URL(appOrigin);
  return {
    name,
    address: `${protocol}//${name}.localhost${port === "" ? "" : `:${port}`}/`,
    domains,
    publicAddresses: [
      ...domains,
      ...(appsDomain === undefined ? [] : [`${name}.${appsDomain}`]),
    ].map((host) => `https://${host}/`),
    port: own,
    current,
    releases: releases
      .map(
        ({ command: _command, jobs: _jobs, name: _name, limits: _limits, ...release }) => release,
      )
      .toReversed(),
    app: answer?.kind === "app" ? answer.app.state() : undefined,
    requests,
    seen,
    upSince: answer?.kind === "app" ? answer.app.upSince() : undefined,
    usage: answer?.kind === "app" ? answer.app.usage() : undefined,
    errors,
    browserReports: isQuiet ? "off" : isRefused ? "refused" : "on",
  };
}
