/** The names of the browser and system in a user agent; the user agent itself if one of them is unknown. */
export function browserOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/\d+/.exec(agent)?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux)/.exec(agent)?.[1];
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : browser;
  return name && system ? `${name} · ${system.replace(" OS X", "")}` : agent;
}
