import { spawn } from "node:child_process";

/** Whether a user can see a browser: there is a display, and this is neither SSH nor CI. */
export function canOpenBrowser(): boolean {
  const { env, platform } = process;
  if (env.CI || env.SSH_CONNECTION || !process.stdout.isTTY) return false;
  return platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/**
 * Opens an address. It is passed as a program argument, which everybody on this machine can read:
 * it must not contain a token.
 */
export function openBrowser(address: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [address], { stdio: "ignore", detached: true });
  // If no program can open it, the user has the printed address.
  child.on("error", () => undefined);
  child.unref();
}
