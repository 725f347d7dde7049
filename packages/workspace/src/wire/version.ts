/**
 * Version of what host and guest say to each other. It grows with every change of frames, requests, answers or messages
 * that a guest of the build before would misunderstand; host and guest are built together, and one that is left over from
 * another build (an old image, a folder that was not built anew) is refused with a sentence instead of half understood.
 */
export const WIRE_VERSION = 10;

/** Either may be undefined: of a build from before there were versions. */
export const otherVersionWords = (guest: number | undefined, host: number | undefined): string =>
  `the guest is of another build of Treadle than the server (it speaks version ${guest ?? 0} of their language, the ` +
  `server ${host ?? 0}): build both anew with \`npm run build\``;
