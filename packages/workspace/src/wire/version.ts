import { sentence, type Sentence } from "@treadle/protocol/sentences";

/**
 * Version of the protocol between host and guest. Increase it with every change of frames,
 * requests, responses or messages that a guest of the previous build would misunderstand. Host and
 * guest are built together; a guest of another build (an old image, a folder that was not rebuilt)
 * is refused with a message.
 */
export const WIRE_VERSION = 10;

/** Either may be undefined for builds that are older than version numbers. */
export const describeOtherVersion = (guest = 0, server = 0): Sentence =>
  sentence("guest-other-version", { guest, server });
