/**
 * What a screen answers to a program by itself: where its cursor is, what it is, its modes, colours and settings (CSI …
 * R n c t $y, OSC, DCS; https://invisible-island.net/xterm/ctlseqs/ctlseqs.html). Each comes alone.
 */
// oxlint-disable-next-line no-control-regex
const ANSWER = /^(?:\x1b\[[?>=]?[\d;]*(?:\$y|[Rcnt])|\d+c|\x1b[P\]][^]*(?:\x07|\x1b\\))$/;

/** Whether a screen said this by itself, and nobody typed it. F3 with a modifier looks like one. */
export const isAnswer = (data: string): boolean => ANSWER.test(data);
