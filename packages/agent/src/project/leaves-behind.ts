/** Matches a background command followed by one that ends soon, such as a request to the new server. */
const SHORT =
  /(?<!&)&\s*(?:(?:disown\b|;)\s*)?(?:\w+=[^\s&]+\s+)*(?:sleep|curl|wget|cat|head|tail|echo|printf|ls|ps|kill|grep|jobs|disown|true|until|for|exit)\b/;

/**
 * Whether a command line starts a background process and then only inspects it. The command line then ends by itself,
 * and the process is not the project's server.
 */
export function leavesBehind(command: string): boolean {
  return SHORT.test(command.replaceAll(/(?<!\d)\d*>&\d|&>\S*/g, " "));
}
