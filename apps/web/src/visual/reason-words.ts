import type { Reason } from "./source-element.ts";

/** Why something is not changed here, for the person. */
export function reasonWords(reason: Reason): string {
  switch (reason.why) {
    case "expression":
      return `It comes from ${reason.code.slice(0, 80)}, and is changed where that is set.`;
    case "mixed":
      return "Its words stand among other elements and values: choose one of those, or ask.";
    case "empty":
      return "It has no words of its own.";
    case "differs":
      return "The source says it in other words than the page shows.";
    case "several":
      return `${reason.count} places in the source may be meant.`;
    case "nowhere":
      return "Where this is written is not known: a script or a package made it.";
    case "unread":
      return "The file cannot be read as it stands, or could not be afterwards. Nothing was written.";
  }
}
