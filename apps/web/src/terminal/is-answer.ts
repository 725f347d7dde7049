/**
 * Terminal replies to a program's queries: cursor position, identity, modes, colours and settings (CSI … R n c t $y,
 * OSC, DCS; https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). Each arrives as a text of its own.
 */
// oxlint-disable-next-line no-control-regex
const ANSWER = /^(?:\x1b\[[?>=]?[\d;]*(?:\$y|[Rcnt])|\d+c|\x1b[P\]][^]*(?:\x07|\x1b\\))$/;

/** Whether the screen generated this text as a reply. Also true for F3 with a modifier, which looks like one. */
export const isAnswer = (data: string): boolean => ANSWER.test(data);
