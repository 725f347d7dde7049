import { spawn } from "node:child_process";

/** Whether there is somebody to look at it: a display, and not over SSH or in CI. */
export function canOpenBrowser(): boolean {
  const { env, platform } = process;
  if (env.CI || env.SSH_CONNECTION || !process.stdout.isTTY) return false;
  return platform !== "linux" || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** The address is an argument of another program, which everybody on this machine may read: no token belongs in it. */
export function openBrowser(address: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [address], { stdio: "ignore", detached: true });
  // Without an opener the printed address serves as well.
  child.on("error", () => undefined);
  child.unref();
}
