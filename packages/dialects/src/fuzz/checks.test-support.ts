import { ACCOUNT_CHECKS } from "./accounting.test-support.ts";
import { ANSWER_CHECKS } from "./answers.test-support.ts";
import { checkArguments } from "./arguments.test-support.ts";
import {
  checkArtifact,
  checkArtifactRoundTrip,
  checkAsides,
  checkFences,
} from "./artifact.test-support.ts";
import { checkDataStream } from "./data-stream.test-support.ts";
import { EDIT_CHECKS } from "./edits.test-support.ts";
import { checkToolTagRoundTrip, checkToolTags } from "./tool-tags.test-support.ts";

/** Invariants of every parser, reader and applier, for any input. */
export const CHECKS = {
  checkArtifact,
  checkArtifactRoundTrip,
  checkAsides,
  checkFences,
  checkToolTags,
  checkToolTagRoundTrip,
  checkArguments,
  checkDataStream,
  ...ACCOUNT_CHECKS,
  ...EDIT_CHECKS,
  ...ANSWER_CHECKS,
};
