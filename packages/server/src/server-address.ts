import { isOwnHost, ownAddress, previewOrigin, type PublicAddress, publicPreviewOrigin } from "@treadle/common"; // prettier-ignore

/** The server's address, for parts created before it listens. */
export interface ServerAddress {
  /** Where people on other machines reach the server; undefined if only this machine does. */
  readonly people: PublicAddress | undefined;
  /** Undefined until it listens. */
  port(): number | undefined;
  /** Origin of Treadle's own pages as people open them; its port is 0 until the server listens. */
  origin(): string;
  /** Origin under which programs on this machine and the looking browser reach those pages. */
  localOrigin(): string;
  /** Origin of a preview as people open it. */
  previewOrigin(capability: string, port?: number): string;
  /** Sources of frames with previews, for a content security policy. */
  previewSource(): string;
  /** Sets the port. */
  listens(port: number): void;
}

/** Creates the address of a server that does not listen yet. */
export function createServerAddress(people: PublicAddress | undefined): ServerAddress {
  let current: number | undefined;
  const localOrigin = () => `http://localhost:${current ?? 0}`;
  return {
    people,
    port: () => current,
    origin: () => people?.origin ?? localOrigin(),
    localOrigin,
    previewOrigin: (capability, port) =>
      people
        ? publicPreviewOrigin(people, capability, port)
        : previewOrigin(localOrigin(), capability, port),
    previewSource() {
      if (people) return `https://*.${people.previewDomain}${people.previewEnd}`;
      return current === undefined ? "http://*.localhost" : `http://*.localhost:${current}`;
    },
    listens: (port) => void (current = port),
  };
}

/** The server's port and public address, with which Host headers are compared. */
export interface OwnHosts {
  port: number | undefined;
  people?: PublicAddress | undefined;
}

/** Whether a Host header names the server as people open it. */
export const isPeoplesHost = (host: string, { people, port }: OwnHosts): boolean =>
  people ? host.toLowerCase() === people.host : isOwnHost(host, port);

/** The address at which people have to open the server. */
export const peoplesAddress = ({ people, port }: OwnHosts): string =>
  people?.origin ?? ownAddress(port);
