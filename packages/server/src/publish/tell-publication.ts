import type { Publication } from "@treadle/protocol";
import type { KeptPublication } from "./kept-publication.ts";
import type { Live } from "./live-publications.ts";

/** A publication as its people are told of it. */
export function tellPublication(
  { name, domains = [], current, releases }: KeptPublication,
  { answers, requests, errors }: Live,
  { appOrigin, appsDomain }: { appOrigin: string; appsDomain: string | undefined },
): Publication {
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
    current,
    releases: releases.map(({ command: _command, ...release }) => release).toReversed(),
    app: answer?.kind === "app" ? answer.app.state() : undefined,
    requests,
    errors,
  };
}
