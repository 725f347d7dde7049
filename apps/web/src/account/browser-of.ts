/** The browser and system in a user agent, as people know them; else the agent itself. */
export function browserOf(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/\d+/.exec(agent)?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux)/.exec(agent)?.[1];
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : browser;
  return name && system ? `${name} · ${system.replace(" OS X", "")}` : agent;
}
