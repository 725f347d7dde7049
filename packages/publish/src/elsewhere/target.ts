import { type Sentence } from "@treadle/protocol/sentences";
import type { Place, PlaceField, TargetId } from "@treadle/protocol";
import type { Clock } from "@treadle/agent";
import type { CheckpointTrees } from "@treadle/workspace";
import type { GitLogins } from "@treadle/git";

/** A ready release to send to another host. */
export type ReleaseToSend = {
  /** The project's published name, in a form that hosts accept. */
  name: string;
  number: number;
  revision: string;
} & (
  | {
      kind: "site";
      /** Absolute path; holds exactly the files to serve. */
      folder: string;
    }
  | {
      kind: "app";
      /** The verified sources, without data that the app wrote and without `.env`. */
      sources: CheckpointTrees & { tree: string };
    }
);

/** The environment in which a target sends. */
export interface Sending {
  /** As the person typed it; "" if the target needs none. */
  token: string;
  place: Place;
  /** The target's API address: its own, unless a test replaces it. */
  origin(own: string): { url: string; local: boolean };
  logins: GitLogins;
  /** Folder of Treadle's own ssh key and known hosts. */
  sshFolder: string;
  /**
   * A folder outside of the project's files, in which a target can keep data between deployments.
   */
  folder: string;
  clock: Clock;
  signal: AbortSignal;
  /** Reports the progress as a sentence. */
  onSaid(progress: Sentence): void;
  /**
   * Saves what was created on the host, even if this deployment fails, so that the next one reuses
   * it.
   */
  onPlace(place: Place): void;
}

/** The result of a deployment. */
export interface Sent {
  /** The site's address; absent if the target has none, as for a registry. */
  address?: string | undefined;
  /** Data for the next deployment, such as the created site. */
  place?: Place | undefined;
}

/** A host to which releases can be sent. */
export interface Target {
  readonly id: TargetId;
  readonly name: string;
  readonly carries: readonly ReleaseToSend["kind"][];
  readonly fields: readonly { name: PlaceField; required: boolean }[];
  /** The key of its token, separate for each server; undefined if it needs none. */
  tokenFor(place: Place): string | undefined;
  /**
   * Sends a release and waits until it is live.
   * @throws ApiFailure with a sentence for people: code `token` if the token is rejected, `local`
   * if the host is in the local network without permission; an AbortError if `signal` was aborted
   */
  send(release: ReleaseToSend, sending: Sending): Promise<Sent>;
}
