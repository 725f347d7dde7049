import { type Sentence } from "@treadle/protocol/sentences";
import type { Place, PlaceField, TargetId } from "@treadle/protocol";
import type { Clock } from "@treadle/agent";
import type { CheckpointTrees } from "@treadle/workspace";
import type { GitLogins } from "@treadle/git";

/** A ready release, as it is sent to another host. */
export type ReleaseToSend = {
  /** As the project is published here: a name that hosts take. */
  name: string;
  number: number;
  revision: string;
} & (
  | {
      kind: "site";
      /** Absolute; holds the files as they are served, and nothing else. */
      folder: string;
    }
  | {
      kind: "app";
      /** The verified sources, without what the app wrote while it ran, and without `.env`. */
      sources: CheckpointTrees & { tree: string };
    }
);

/** What a target works with while it sends. */
export interface Sending {
  /** As the person typed it; "" where the target wants none. */
  token: string;
  place: Place;
  /** Where the target's API is: its own address, which only tests put another in the place of. */
  origin(own: string): { url: string; local: boolean };
  logins: GitLogins;
  /** Folder of Treadle's own ssh key and of the hosts that are known. */
  sshFolder: string;
  /** Of the project, beside its files: what a target wants to keep from one time to the next. */
  folder: string;
  clock: Clock;
  signal: AbortSignal;
  /** A sentence that says what goes on. */
  onSaid(progress: Sentence): void;
  /** What was made there and is to be known the next time, however this one ends: else that would make another. */
  onPlace(place: Place): void;
}

/** What came of it. */
export interface Sent {
  /** Absent where the target tells of none, such as a registry. */
  address?: string | undefined;
  /** What is to be known the next time: the site that was made, say. */
  place?: Place | undefined;
}

/** A host that releases are sent to. */
export interface Target {
  readonly id: TargetId;
  readonly name: string;
  readonly carries: readonly ReleaseToSend["kind"][];
  readonly fields: readonly { name: PlaceField; required: boolean }[];
  /** What the token is kept under, so that each server has its own; undefined: it wants none. */
  tokenFor(place: Place): string | undefined;
  /**
   * Sends a release and waits until it can be seen there.
   * @throws ApiFailure with a sentence for people: code `token` where the token is not taken, `local` where the host is of this
   * network and nobody said that it may be; an AbortError where `signal` ended it
   */
  send(release: ReleaseToSend, sending: Sending): Promise<Sent>;
}
