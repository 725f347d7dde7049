import type { Publication } from "@treadle/protocol";
import type { StoredPublication } from "./stored-publication.ts";
import type { PublicationRuntime } from "./publication-runtimes.ts";

interface Places {
  /** Treadle's own origin. */
  appOrigin: string;
  /** The domain below which apps have public names. */
  appsDomain: string | undefined;
  port: Publication["port"];
}

/** The addresses of the app, each with a final slash. */
function placesOf(
  { name, domains = [] }: Pick<StoredPublication, "name" | "domains">,
  { appOrigin, appsDomain }: Places,
): Pick<Publication, "address" | "publicAddresses"> {
  const { protocol, port } = new URL(appOrigin);
  return {
    address: `${protocol}//${name}.localhost${port === "" ? "" : `:${port}`}/`,
    publicAddresses: [
      ...domains,
      ...(appsDomain === undefined ? [] : [`${name}.${appsDomain}`]),
    ].map((host) => `https://${host}/`),
  };
}

/** The address for most visitors, without a final slash. */
export function mainAddress(
  publication: Pick<StoredPublication, "name" | "domains">,
  places: Places,
): string {
  const { address, publicAddresses } = placesOf(publication, places);
  const inNetwork = places.port?.addresses.find((one) => !one.startsWith("http://127."));
  return (publicAddresses[0] ?? inNetwork ?? address).replace(/\/$/, "");
}

/** A publication as the API describes it, without `reach` and `jobs`. */
export function describePublication(
  publication: StoredPublication,
  { slot: answers, requests, isRefused, seen: { newest: errors, ...seen } }: PublicationRuntime,
  places: Places,
): Omit<Publication, "reach" | "jobs"> {
  const { name, domains = [], current, isQuiet = false, releases } = publication;
  const answer = answers.current();
  return {
    name,
    domains,
    ...placesOf(publication, places),
    port: places.port,
    current,
    releases: releases
      .map(
        ({
          command: _command,
          jobs: _jobs,
          name: _name,
          limits: _limits,
          entry: _entry,
          ...release
        }) => release,
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
