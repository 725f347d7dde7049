import type { AttackPlace, Attempt } from "./attempt.ts";
import { connections } from "./list/connect.ts";
import { exhaustions } from "./list/exhaust.ts";
import { fileCalls } from "./list/files.ts";
import { guestTakeovers } from "./list/guest.ts";
import { kernelCalls } from "./list/kernel.ts";
import { privileges } from "./list/privilege.ts";
import { publishedBorders } from "./list/published.ts";
import { readings } from "./list/read.ts";
import { configurations } from "./list/trust.ts";
import { writings } from "./list/write.ts";

/** All attempts in the order in which they are made. */
export const attempts = (place: AttackPlace): Attempt[] => [
  ...readings(place),
  ...writings(),
  ...fileCalls(place),
  ...configurations(place),
  ...privileges(place),
  ...kernelCalls(),
  ...guestTakeovers(),
  ...connections(place),
  ...publishedBorders(place),
  ...exhaustions(),
];
